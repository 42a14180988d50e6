"""Tokens known by their shape alone, in every way that sessions render text, beside what merely looks alike.

Each shape stands in every rendering, and nothing in it but the shape can give it away. Tokens are drawn
from a fixed seed and joined to their prefix here, so that this file holds none.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

import pytest

from segue.redaction.redact import Redactor

_LOWER = string.ascii_lowercase + string.digits
_UPPER = string.ascii_uppercase + string.digits
_MIXED = string.ascii_letters + string.digits
_NAME = _MIXED + "-_"
_HEX = "0123456789abcdef"
_drawn = random.Random(6)
_PIECE = 12
_BENIGN = "0123456789abcdef0123456789abcdef01234567"


def draw(length: int, alphabet: str = _MIXED) -> str:
    return "".join(_drawn.choices(alphabet, k=length))


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def jwt() -> str:
    return ".".join(("ey" + "JhbGciOiJSUzI1NiJ9", "ey" + "J" + draw(300, _NAME) + "a", draw(85, _NAME) + "a"))


def uuid() -> str:
    return "-".join(draw(length, _HEX) for length in (8, 4, 4, 4, 12))


SHAPES: dict[str, tuple[str, str]] = {
    "installation": ("gh" + "s_1234567_" + jwt(), "github-token"),
    "installation of an app with letters": ("gh" + "s_A1B2C3_" + jwt(), "github-token"),
    "user to server": ("gh" + "u_1234567_" + jwt(), "github-token"),
    "runner registration": ("GR" + "1348941" + draw(19, _NAME) + "a", "gitlab-token"),
    "nuget": ("oy" + "2" + draw(43, _LOWER), "nuget-key"),
    "bedrock": ("AB" + "SK" + encoded(f"BedrockAPIKey-a1b2-at-123456789012:{draw(44)}"), "bedrock-key"),
    "bedrock for hours": (
        "bedrock" + "-api-key-" + encoded(f"bedrock.amazonaws.com/{draw(200)}"),
        "bedrock-key",
    ),
    "gemini": ("A" + "Q.Ab8RN6" + draw(43, _NAME) + "a", "google-api-key"),
    "azure": (draw(52) + "JQQ" + "J99BFACYeBjFXJ3w3AAABACOG" + draw(4), "azure-key"),
    "azure devops": (draw(76) + "AZ" + "DO" + draw(4), "azure-devops-token"),
    "cloudflare user": ("cf" + "ut_" + draw(40) + draw(8, _HEX), "cloudflare-key"),
    "cloudflare account": ("cf" + "at_" + draw(40, _NAME) + draw(8, _HEX), "cloudflare-key"),
    "cloudflare global": ("cf" + "k_" + draw(40) + draw(8, _HEX), "cloudflare-key"),
    "mongodb": ("mdb" + "_sa_sk_" + draw(39, _NAME) + "a", "mongodb-secret"),
    "mongodb without digits": ("mdb" + "_sa_sk_" + draw(40, string.ascii_letters), "mongodb-secret"),
    "runpod": ("rp" + "a_" + draw(40, _UPPER) + draw(6), "runpod-key"),
    "e2b": ("e2" + "b_" + draw(40, _HEX), "e2b-key"),
    "together": ("tg" + "p_v1_" + draw(42, _NAME) + "a", "together-key"),
    "wandb": ("wan" + "db_v1_" + draw(27) + "_" + draw(49), "wandb-key"),
    "cursor": ("cr" + "sr_" + draw(64, _HEX), "cursor-key"),
    "amp": ("sg" + "amp_user_" + draw(26, _UPPER) + "_" + draw(64, _HEX), "amp-key"),
    "stripe organization": ("sk" + "_org_live_" + draw(99), "stripe-key"),
    "stripe organization for tests": ("sk" + "_org_test_" + draw(99), "stripe-key"),
    "dashed late": ("sk" + "_test_" + draw(20) + "-" + draw(11) + "_" + draw(10), "stripe-key"),
    "dashed early": ("sk" + "_test_" + "a8K" + "-" + draw(28) + "_9" + draw(10), "api-key"),
    "production": ("sk" + "_prod_" + draw(63, _NAME) + "a", "api-key"),
    "development": ("sk" + "_dev_" + draw(63, _NAME) + "a", "api-key"),
    "paddle": ("pd" + f"l_live_apikey_{draw(26, _LOWER)}_{draw(22)}_{draw(3)}", "paddle-key"),
    "paddle sandbox": ("pd" + f"l_sdbx_apikey_{draw(26, _LOWER)}_{draw(22)}_{draw(3)}", "paddle-key"),
    "polar": ("pol" + "ar_oat_" + draw(43), "polar-token"),
    "polar webhook": ("pol" + "ar_whs_" + draw(43), "polar-token"),
    "facebook": ("EA" + "Al" + draw(180), "facebook-token"),
    "facebook with a digit": ("EA" + "A7" + draw(180), "facebook-token"),
    "airtable": ("pa" + "t" + draw(14) + "." + draw(64, _HEX), "airtable-token"),
    "airtable like a path": ("pa" + "thS" + draw(12) + "." + draw(64, _HEX), "airtable-token"),
    "airtable like a pattern": ("pa" + "tterns7" + draw(8) + "." + draw(64, _HEX), "airtable-token"),
    "statsig": ("sec" + "ret-" + draw(43), "statsig-key"),
    "statsig without digits": ("sec" + "ret-" + draw(43, string.ascii_letters), "statsig-key"),
    "sentry integration": ("sntr" + "yi_" + draw(64, _HEX), "sentry-token"),
    "sentry application": ("sntr" + "ya_" + draw(64, _HEX), "sentry-token"),
    "honeycomb": ("hca" + "ik_01" + draw(56, _LOWER), "honeycomb-key"),
    "honeycomb in europe": ("hcb" + "ik_01" + draw(56, _LOWER), "honeycomb-key"),
    "axiom": ("xa" + "at-" + uuid(), "axiom-token"),
    "axiom personal": ("xa" + "pt-" + uuid(), "axiom-token"),
}

RENDERINGS: dict[str, str] = {
    "prompt": "Deploy it with {} and never print it.",
    "sentence's end": "I decided to use {}.",
    "own line": "\n{}\n",
    "command": "./deploy.sh --region eu {} --force",
    "quoted command": "./deploy.sh '{}'",
    "result": "error: {} was refused\n1 failed",
    "log": "2026-11-16T09:00:00Z WARN [deploy] rejected={}, retrying",
    "markdown": "| worker | `{}` |",
    "JSON": '{{"value": "{}", "region": "eu"}}',
    "JSON in JSON": '{{\\"value\\": \\"{}\\"}}',
    "YAML": "deploy:\n  value: {}\n  region: eu",
    "escaped line": "value\\n{}\\n",
    "escaped column": "value\\t{}\\t",
    "XML": "<value>{}</value>",
    "numbered line": "   12→{}",
    "difference": "-value\n+{}\n",
    "other script": "「{}」を使ってください",
}


@pytest.mark.parametrize("rendering", RENDERINGS.values(), ids=RENDERINGS.keys())
@pytest.mark.parametrize(("token", "kind"), SHAPES.values(), ids=SHAPES.keys())
def test_a_token_vanishes_whole_by_its_shape_alone(token: str, kind: str, rendering: str) -> None:
    assert Redactor().redact(rendering.format(token)) == rendering.format(f"[redacted:{kind}]")


@pytest.mark.parametrize(("token", "kind"), SHAPES.values(), ids=SHAPES.keys())
def test_no_piece_of_a_token_is_left_where_something_else_gives_it_away_too(token: str, kind: str) -> None:
    texts = (
        f"export SERVICE_API_KEY={token}",
        f"Authorization: Bearer {token}",
        f"git clone https://x-access-token:{token}@git.test/o/r.git",
        f"GET https://api.test/v1?access_token={token}&page=2",
    )
    for text in texts:
        left = Redactor().redact(text)
        assert not any(token[at : at + _PIECE] in left for at in range(10, len(token) - _PIECE))


LOOK_ALIKES: tuple[str, ...] = (
    # names in programs that begin like a token
    "rpa_client",
    "rpa_process_automation_client_for_every_robot_2024",
    "RPA_CLIENT_REGISTRATION_TIMEOUT_SECONDS",
    "e2b_sandbox",
    "e2b_sandbox_template_identifier_of_the_build",
    "crsr_position",
    "crsr_position_before_the_selection_was_extended",
    "sgamp_user_settings",
    "tgp_v1_endpoint_of_the_models_that_we_have_measured",
    "wandb_v1_run_directory_of_the_experiment_that_we_repeat_every_night_at_two",
    "polar_oat_expires_at",
    "polar_to_cartesian_coordinates",
    "pdl_live_apikey_rotation_runbook",
    "mdb_sa_sk_rotation_of_every_service_account",
    "hcaik_prefix_of_ingest_keys",
    "xaat-prefixed-tokens-of-the-service",
    "sntryi_prefix",
    "cfk_render_the_configuration_of_every_single_worker",
    "cfat_table_of_all_the_accounts_in_the_zone_file_2024",
    "sk_prod_environment_settings_of_the_2024_release",
    "sk_dev_machine_of_the_platform_team_in_the_cellar",
    "sk_test_helpers_for_the_integration_suite",
    "task_prod_a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf",
    "ghs_123456_eyJson",
    "AZDO_PERSONAL_ACCESS_TOKEN_VARIABLE",
    "AQ.Ab8",
    "FAQ.AboutOurServicesAndHowToReachTheTeamBehindThem",
    "GR1348941",
    "secret-manager-client-configuration",
    "secret-rotationofallthecredentialsoftheplatformx",
    "console-loggingmiddlewareforthewholeapplications",
    "pathlib.PurePosixPath",
    "patchedVersions2.3f9a0c7e51b2d846",
    "patterns.compile",
    f"path/to/compatible.{_BENIGN}",
    f"patch-{_BENIGN}.diff",
    "EAAConfigurationLoader",
    "oy2registrationofallapplicationsandthesettings",
    "ABSKernelConfigurationRegistry",
    "bedrock-api-key-rotation-runbook",
    # what is public
    "pk_" + "live_a8Kd02mZq7Rt5Yw1Xc9Ve3Bn",
    "pk_" + "test_a8Kd02mZq7Rt5Yw1Xc9Ve3Bn",
    "ph" + "c_a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gfa8Kd02mZq7Rt5",
    "sb_" + "publishable_a8Kd02mZq7Rt5Yw1Xc9V_e3Bn6Hj4",
    "mdb_sa_id_6a5d80e8575ac46d09f118d9",
    # identities, digests and pictures
    _BENIGN,
    "sha256:" + _BENIGN + _BENIGN[:24],
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "api-7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "data:image/png;base64,iVBORw0KGgo/ABSK" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf" * 5 + "==",
    "data:image/png;base64,iVBORw0KGgo+EAAl" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf" * 5 + "==",
    "data:font/woff2;base64,d09GMgAB/oy2" + "a8d02mzq7rt5yw1xc9ve3bn6hj4gf3f9a0c7e51b2d8" + "+A",
    "data:image/gif;base64,R0lGODlh" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gf" * 3 + "AZDOa8Kd+Aa==",
    "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
    "/nix/store/oy2gy7yfzmq5z1yv4n0z7kq0m8c3v5wd-openssl-3.0.13",
)


@pytest.mark.parametrize("rendering", RENDERINGS.values(), ids=RENDERINGS.keys())
@pytest.mark.parametrize("text", LOOK_ALIKES, ids=[text[:32] for text in LOOK_ALIKES])
def test_what_merely_looks_like_a_token_stays_whole(text: str, rendering: str) -> None:
    rendered = rendering.format(text)
    assert Redactor().redact(rendered) is rendered


def test_both_tables_are_long_enough_to_mean_something() -> None:
    assert len({token for token, _ in SHAPES.values()}) >= 30
    assert len(set(LOOK_ALIKES)) >= 40


@pytest.mark.parametrize("length", [8, 127, 128, 129, 520, 4096])
def test_a_password_in_an_address_vanishes_whatever_its_length(length: int) -> None:
    password = draw(length)
    text = "postgresql://app:{}@db.internal:5432/app"
    assert Redactor().redact(text.format(password)) == text.format("[redacted:url-credential]")


@pytest.mark.parametrize("length", [16, 256, 257, 4096])
def test_a_token_that_is_all_of_a_login_vanishes_whatever_its_length(length: int) -> None:
    token = draw(length)
    assert Redactor().redact(f"https://{token}@git.test/a") == "https://[redacted:url-credential]@git.test/a"


def _endless(unit: str) -> str:
    return unit * (250_000 // len(unit))


HOSTILE: dict[str, Callable[[], str]] = {
    "bodies without a capital": lambda: _endless("tg" + "p_v1_"),
    "bodies without a digit": lambda: _endless("sk_" + "prod_A"),
    "headers without a payload": lambda: _endless("gh" + "s_1_eyJaaaaaaaa_"),
    "ids without a digest": lambda: _endless("pat" + "a8Kd02mZq7Rt5Y."),
    "logins without a host": lambda: "://a:" + "b" * 250_000,
    "many logins without a host": lambda: _endless("://a:" + "b" * 4_000 + "/"),
    "logins with many hosts": lambda: _endless("://a:b@b@b@b@ "),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_text_made_of_beginnings_is_redacted_to_its_end(text: Callable[[], str]) -> None:
    """Each would take minutes if a pattern followed the run to its end at every beginning."""
    secret = SHAPES["axiom"][0]
    assert Redactor().redact(f"{text()} {secret}").endswith(" [redacted:axiom-token]")
