"""The person's words are kept verbatim, and the later one wins."""

from __future__ import annotations

import pytest

from segue.model.facts import Word

from .story import Story

SUPERSEDED = [
    ("Use port 8080 for the server.", "no, 9090"),
    ("the timeout must be 30s", "The timeout must be 5s."),
    ("use sqlite for storage", "actually use postgres instead of sqlite"),
    ("don't add tests for the parser", "ok, add tests for the parser"),
    ("name it `fetch_all`", "no, `fetch_every`"),
    ("Use MySQL.", "Switch to MariaDB."),
    ("Use MySQL.", "Scrap that, MariaDB."),
    ("Keep the old API.", "I changed my mind, drop the old API."),
    ("I prefer tabs", "hmm, spaces please"),
    ("使用端口 8080。", "不,用 9090。"),
    ("Nimm Port 8080.", "nein, 9090"),
    ("use port 8080", "use port 9090"),
    ("Use port 8080 for the server.", "And no, use port 9090 instead of 8080."),
    ("Never use mocks in tests.", "ok mocks are fine in tests after all"),
    ("Never use mocks in tests.", "Mocks are OK in tests now, ignore my earlier rule."),
    ("I prefer tabs over spaces.", "Drop the tabs rule; spaces are fine now."),
    ("I prefer tabs over spaces.", "Spaces are fine after all."),
    ("Never touch legacy/.", "You may touch legacy/ now."),
    ("Don't edit the generated files.", "Feel free to edit the generated files."),
    ("Keep every function under 30 lines.", "Forget the 30 lines limit."),
    ("Use Python 3.11 for the workers.", "Use Python 3.12 for the workers."),
    ("Module 1 must stay under 100 lines.", "Module 1 must stay under 200 lines."),
    ("The timeout must not exceed 30 seconds.", "The timeout must not exceed 60 seconds."),
    ("Retry at most 3 times.", "Retry at most 5 times."),
    ("Never change migration 0007.", "no, migration 0009"),
    (
        "All timestamps must be UTC ISO-8601.",
        "And forget what I said about ISO-8601, use epoch milliseconds instead.",
    ),
    (
        "Please keep backwards compatibility with the v1 config.",
        "Forget backwards compatibility, nobody uses v1.",
    ),
    ("Use 4 spaces.", "Hmm, on second thought 2 spaces."),
    ("The API base must be https://api.example.com/v1.", "The base is https://api.example.com/v2 now."),
    ("Always run the linter before committing.", "You don't need to run the linter any more."),
    ("Always run the linter before committing.", "Running the linter is no longer necessary."),
    ("Ask me before installing anything.", "You no longer have to ask me before installing things."),
    ("Every function needs a docstring.", "Docstrings aren't required any more."),
    ("Never push to main.", "OK you may push to main now, the freeze is over."),
    ("Never commit to main directly.", "Committing to main is fine from now on."),
    ("No emojis in the UI.", "Emojis in the UI are OK now."),
    ("Target Node 18.", "Scratch that, target Node 22."),
    ("Use tailwind for styling", "revert that, I prefer plain css modules"),
    ("Use Redis for the state.", "Let's switch from Redis to SQLite for state."),
    ("Bitte nutze Port 8080.", "Nein, doch lieber Port 9090."),
    ("Keine neuen Abhängigkeiten!", "Neue Abhängigkeiten sind jetzt erlaubt."),
    ("Immer den Linter laufen lassen.", "Den Linter musst du nicht mehr laufen lassen."),
    ("Utilise le port 8080.", "Non, plutôt le port 9090."),
    ("Usa el puerto 8080.", "No, mejor el puerto 9090."),
    ("Используй порт 8080.", "Нет, лучше порт 9090."),
    ("Use Postgres for the job queue.", "Actually, let's go with Redis for the job queue."),
    ("Use snake_case for JSON keys.", "Use camelCase for JSON keys."),
    ("Always use the staging database.", "From now on use the production database."),
    ("Keep the Python 3.8 support.", "Drop Python 3.8 support, we're on 3.12 everywhere."),
    ("Name the branch feature/login.", "Call the branch feature/auth instead."),
    ("Never delete user data.", "It's fine to delete user data now, we have backups."),
    ("Don't touch the auth module.", "Go ahead and change the auth module."),
    ("Leave the README alone.", "You can update the README now."),
    ("Run the e2e suite after each change.", "No need to run the e2e suite after each change anymore."),
    ("The retry count should be 3.", "retries: 5, not 3"),
    ("Use npm.", "We switched to pnpm, use pnpm."),
    ("Call the function fetchUser.", "Rename it to loadUser please; I don't like fetchUser."),
    ("Use Redis for sessions.", "Keep the sessions in SQLite rather than Redis."),
    ("Use the v1 API.", "We're moving to the v2 API, use that."),
    ("Timeout 30 seconds max.", "Raise the timeout to 60 seconds."),
    ("Cache entries must expire after 5 minutes.", "no wait, 10 minutes"),
    ("Cache entries must expire after 5 minutes.", "Sorry, I meant 10 minutes."),
    ("Skip the Windows build.", "Actually include the Windows build."),
    ("Verwende keine externen Bibliotheken.", "Externe Bibliotheken sind jetzt in Ordnung."),
    ("N'utilise pas de dépendances externes.", "Tu peux utiliser des dépendances externes maintenant."),
    ("端口使用 8080。", "端口改成 9090。"),
    ("必须支持 IE11。", "不用支持 IE11 了。"),
    ("必须支持 IE11。", "不对，不用支持 IE11 了。"),
    ("不要推送到 main。", "现在可以推送到 main 了。"),
    ("ポート8080を使ってください。", "いいえ、ポートは9090にしてください。"),
    ("mainにプッシュしないでください。", "もうmainにプッシュしてもいいです。"),
    ("必ずリンターを実行してください。", "もうリンターは実行しなくていいです。"),
    ("포트 8080을 사용해 주세요.", "아니요, 포트는 9090으로 해 주세요."),
    ("Don't touch the schema.", "ok the schema is fair game now"),
    ("Deploy to eu-west-1 only.", "turns out legal wants eu-central-1"),
    ("Keep the old CLI flags working.", "the old flags can go after all"),
    ("Keep the Python 2 shims.", "the Python 2 shims can go after all"),
    ("Write the logs to /var/log/app.", "logs go to stdout now"),
    ("Show at most 50 rows per page.", "On the small screens 50 is endless, 15 please."),
    ("The upload limit is 20 MB.", "Customers send bigger plans than that, make it 75."),
    (
        "Store the times as local times.",
        "Lisbon opens in May, so local times are no good any more; UTC everywhere.",
    ),
    ("Store amounts as floats.", "hm wait, amounts as integer cents please"),
    ("Store amounts as floats.", "Amounts should be integer cents, not floats."),
    ("Return errors as plain text.", "errors as problem+json please, the gateway team needs it"),
    (
        "Fixtures under tests/golden are frozen: regenerate them only if I say so.",
        "Golden fixtures: go ahead and regenerate them now.",
    ),
    ("Python 3.10 is the floor.", "we can drop 3.10, 3.12 is the minimum now"),
    ("chunk size 50k rows.", "Make that 20k rows, the box has only 2 GB."),
    ("Never call the payment sandbox.", "the payment sandbox is open again, call it as you like"),
    ("Put the docs in German.", "the docs go in English after all, sales asked"),
    ("We target Node 18.", "Ops upgraded, so Node 22 it is"),
    ("Target ES5.", "ES2020 is fine, we dropped old browsers"),
    ("Keep responses under 200 KB.", "the 200 KB cap is gone"),
    ("The report must be a PDF.", "they want the report as HTML now"),
    ("The cache TTL is 5 minutes.", "let's make the cache TTL an hour"),
    ("Die Beträge als Float speichern.", "Moment, Beträge bitte als Integer-Cents."),
    ("Fass die Migrationen nicht an.", "Die Migrationen sind jetzt freigegeben."),
    ("Ne touche pas au schéma.", "finalement tu peux modifier le schéma"),
    ("No borres los archivos antiguos.", "ya puedes borrar los archivos antiguos"),
    ("Use port 9090.", "Now do step 5. No, use port 9191, not 9090."),
    ("Use port 9090.", "Fix issue 12. Use port 9191, not 9090."),
    ("Use port 9090.", "Never use port 9090."),
    ("Use tabs.", "Don't use tabs."),
    ("Store the reports as CSV.", "Ana has no tool for those. Make it xlsx."),
]
STANDING = [
    ("Use Redis.", "Don't touch Redis."),
    (
        "We only reference the screenshots under docs/img.",
        "No, never run prettier over docs, it breaks the tables.",
    ),
    ("Use port 9090.", "Never use port 9191."),
    ("Store the reports as CSV.", "The button is dull. Make it blue."),
    ("A delivery must stop after 30 seconds.", "no, 9090"),
    ("Never touch the migrations.", "Never touch the fixtures."),
    ("use port 8080", "use the new port mapper"),
    ("keep the tests", "keep the docs"),
    ("The admin page must load in under 2 seconds.", "The search page must load in under 1 second."),
    (
        "The retry delay must be 5 seconds in the uploader.",
        "The retry delay must be 30 seconds in the downloader.",
    ),
    ("Use port 8080 for the api.", "Use port 9000 for the metrics endpoint."),
    ("Keep the old API.", "don't drop the old API"),
    ("Never change migration 0007.", "Never change migration 0009."),
    ("Never change migration 0007.", "You may change migration 0009 now."),
    ("Never use mocks in tests.", "mocks are not fine in tests now"),
    ("Never use mocks in tests.", "the parser tests are fine now"),
    ("Keep the log lines in English.", "Drop the tabs rule."),
    ("Module 1 must stay under 100 lines.", "Module 2 must stay under 100 lines."),
    ("You must keep step 1 idempotent.", "You must keep step 2 idempotent."),
    ("v1 must keep the old API.", "v2 must drop the old API."),
    ("Phase A must keep the old API.", "Phase B must keep the old API."),
    ("Table 3 should not be wider than 80 columns.", "Table 4 should not be wider than 80 columns."),
    ("Issue #12 must be closed first.", "Issue #13 must be closed first."),
    ("Never rename `fetch_all`.", "Never rename `fetch_every`."),
    ("Don't use port 8080.", "Don't use port 9090."),
    ("Always support Python 3.11.", "Always support Python 3.12."),
    ("Never commit the sqlite file.", "actually use postgres instead of sqlite"),
    ("Never push to main.", "You may push to develop now."),
    ("Always run the linter before committing.", "You don't need to run the tests any more."),
    ("Use port 8080 for the api.", "The metrics port is 9100 now."),
    ("Please keep backwards compatibility with the v1 config.", "Forget the logging refactoring."),
    ("Always sign your commits.", "Don't forget to sign your commits."),
    ("Keep functions under 40 lines.", "Hmm, on second thought 2 spaces."),
    ("The API base must be https://api.example.com/v1.", "The docs are at https://docs.example.com now."),
    ("Never use mocks in tests.", "You don't need to use mocks in tests any more."),
    ("Keine neuen Abhängigkeiten!", "Nein, doch lieber Port 9090."),
    ("Always run the linter before committing.", "The linter is fine now."),
    ("Use Postgres for users.", "Use Redis for sessions."),
    ("Use Postgres for the user data.", "Use S3 for the user uploads."),
    ("Use tabs in Go files.", "Actually use spaces in Python files."),
    ("The import job must be fast.", "The import job must be idempotent."),
    ("Don't touch the auth module.", "go ahead and change the billing module"),
    ("Ask me before installing anything.", "You don't need to ask me about formatting."),
    ("No emojis in the UI.", "No abbreviations in the UI."),
    ("Always run the linter.", "The linter is no longer failing."),
    ("Use port 8080.", "no, I mean the config file"),
    ("Use port 8080.", "The port is in the config file now."),
    ("We deploy on Fridays.", "We switched to the new deploy script."),
    ("Do not change the public API.", "change the private API instead"),
    ("The cache ttl must be 5 minutes.", "The session ttl must be 10 minutes."),
    ("Every endpoint gets a test.", "Every test gets a docstring."),
    ("ポート8080を使ってください。", "データベースはPostgresを使ってください。"),
    ("必须支持 IE11。", "不用写测试了。"),
    ("不要推送到 main。", "现在可以推送到 develop 了。"),
    ("ポート8080を使ってください。", "いいえ、タイムアウトは30にしてください。"),
    ("Don't touch the schema.", "the schema is in db/schema.sql now"),
    ("Deploy to eu-west-1 only.", "the backup bucket is in eu-central-1 now"),
    ("Keep the old CLI flags working.", "the old config can go after all"),
    ("Never call the payment sandbox.", "the search sandbox is open again"),
    ("Store amounts as floats.", "dates as integers please"),
    ("Don't change migration 0007.", "migration 0009 is fair game"),
    ("The retry limit is 3.", "the upload limit is gone"),
    ("Never commit secrets.", "you can commit now"),
    ("The upload limit is 20 MB.", "20 MB per file, 100 MB per request"),
    ("The upload limit is 20 MB.", "make it 3 columns"),
    ("Put the docs in German.", "the changelog goes in English after all"),
]


def standing(story: Story) -> list[str]:
    return [word.text for word in story.index.words if not word.superseded_by]


@pytest.mark.parametrize(("earlier", "later"), SUPERSEDED)
def test_a_later_word_replaces_the_earlier(story: Story, earlier: str, later: str) -> None:
    first, second = story.prompt(earlier), story.prompt(later)
    words = {word.text: word for word in story.index.words}
    assert words[earlier].evidence[0].line == first
    assert words[earlier].superseded_by is not None
    assert words[earlier].superseded_by.line == second


@pytest.mark.parametrize(("earlier", "later"), STANDING)
def test_a_word_about_something_else_replaces_nothing(story: Story, earlier: str, later: str) -> None:
    story.prompt(earlier)
    story.prompt(later)
    assert standing(story)[0] == earlier


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Deploy to the staging cluster only.", "prod deploys are fine as of today"),
        ("Use ap-south-1 for the bucket.", "the bucket moved to ap-southeast-2"),
        ("Don't use any third-party fonts.", "marketing cleared third-party fonts, so use them"),
    ],
)
def test_what_may_replace_a_rule_is_told_with_it(story: Story, rule: str, later: str) -> None:
    story.prompt(rule)
    story.prompt(later)
    assert standing(story) == [rule, later]


def told_long_after(story: Story, rule: str, later: str) -> Word:
    """The rule as it stands once another prompt, and then the later word, were said."""
    story.prompt(rule)
    story.prompt("carry on")
    story.prompt(later)
    found: Word = next(word for word in story.index.words if word.text == rule)
    return found


@pytest.mark.parametrize(
    ("rule", "later", "new"),
    [
        ("The dev server uses port 4100.", "The scanner sits on 4100. The printer gets 4173.", "The printer gets 4173."),
        ("Timeouts are 10 seconds.", "With 10 seconds the far offices drop out. 45.", "With 10 seconds the far offices drop out. 45."),
        ("The trial lasts 14 days.", "Sales says 14 days converts badly, so 7.", "Sales says 14 days converts badly, so 7."),
        ("Keep at most 3 old versions.", "We ran out of disk with 3. Just one.", "Just one."),
        ("The session lasts 5 hours.", "Five hours is too long for them. Two hours please.", "Two hours please."),
        ("Keep the archive in S3.", "Finance ended the AWS contract. Archives go to the tape room.", "Archives go to the tape room."),
        ("期限は前日の18時にしてください。", "18時だと早すぎると言われました。当日の朝9時まで受け付けます。", "当日の朝9時まで受け付けます。"),
    ],
)  # fmt: skip
def test_a_prompt_that_finds_fault_with_a_value_and_gives_another_replaces_the_rule(
    story: Story, rule: str, later: str, new: str
) -> None:
    old = told_long_after(story, rule, later)
    assert (old.superseded_text, old.doubted_text) == (new, "")


@pytest.mark.parametrize(
    ("rule", "later", "new"),
    [
        ("Use Tailwind for the styling.", "Tailwind blows up the bundle. Plain CSS modules please.", "Plain CSS modules please."),
        ("Name the service courier.", "There is a courier in the other cluster. It's called dispatch.", "It's called dispatch."),
        ("Keep the records for 30 days.", "Legal came back: a month is too long, they only allow 10 days.", "Legal came back: a month is too long, they only allow 10 days."),
        ("The session lasts 30 minutes.", "30 minutes is annoying at lunch. Two hours.", "Two hours."),
        ("Amounts are rounded to whole euros.", "The accountant wants cents in the amounts.", "The accountant wants cents in the amounts."),
        ("Pause a row once it is 50% off screen.", "half is too late. Pause already when 20% is hidden.", "Pause already when 20% is hidden."),
        ("Buttons are rounded.", "Rounded looks childish, I want square corners.", "Rounded looks childish, I want square corners."),
        ("Set the cache size to 64 MB.", "The board only has 32 MB free, 24 is what fits.", "The board only has 32 MB free, 24 is what fits."),
    ],
)  # fmt: skip
def test_a_rule_that_may_have_been_replaced_stands_and_names_the_later_word(
    story: Story, rule: str, later: str, new: str
) -> None:
    old = told_long_after(story, rule, later)
    assert (old.superseded_by, old.doubted_text) == (None, new)


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Use Tailwind for the styling.", "Tailwind is installed already, version 3.4."),
        ("Mail goes out through Sendgrid.", "Sendgrid is slow today. Continue with the invoices please."),
        ("The header stays fixed.", "The header is too tall. 48 px please."),
        ("Keep the backup in S3.", "The backup in S3 is 3 days old, look into it."),
        ("The upload limit is 20 MB.", "20 MB per file, 100 MB per request"),
        ("The session lasts 30 minutes.", "In 30 minutes I have a call. Page 2 is still broken."),
        ("Export is CSV.", "The CSV looks great! Now the footer."),
        ("Show at most 20 rows.", "The list is too wide. Show 3 columns."),
    ],
)
def test_a_prompt_that_only_speaks_of_what_a_rule_chose_leaves_it(
    story: Story, rule: str, later: str
) -> None:
    story.prompt(rule)
    story.prompt(later)
    old = next(word for word in story.index.words if word.text == rule)
    assert (old.superseded_by, old.doubted_by) == (None, None)


@pytest.mark.parametrize(
    ("rule", "later", "edit", "replaced"),
    [
        ("Keep the records for 30 days.", "Legal came back, they grant us 10 days.", ("keep = 30 * DAY", "keep = 10 * DAY"), True),
        ("Name the service courier.", "Ops took that name. The service is dispatch for them.", ("name: courier", "name: dispatch"), True),
        ("Show 50 rows per page.", "The header gets 48 px.", ("height: 50", "height: 48"), False),
        ("Keep the records for 30 days.", "Legal came back, they grant us 10 days.", ("retries = 3", "retries = 10"), False),
    ],
)  # fmt: skip
def test_an_edit_after_a_prompt_shows_which_rule_it_replaced(
    story: Story, rule: str, later: str, edit: tuple[str, str], replaced: bool
) -> None:
    story.prompt(f"Please always: {rule}" if rule.startswith("Show") else rule)
    story.prompt(later)
    story.edit("app/settings.py", old=edit[0], new=edit[1])
    assert (story.index.words[0].superseded_by is not None) is replaced


def test_each_of_two_corrections_in_one_breath_replaces_its_own(story: Story) -> None:
    story.prompt("Use port 8080. All timestamps must be UTC ISO-8601.")
    story.prompt(
        "no, 9090 for the port. And forget what I said about ISO-8601, use epoch milliseconds instead."
    )
    assert {w.text: w.superseded_text for w in story.index.words if w.superseded_by} == {
        "Use port 8080.": "no, 9090 for the port.",
        "All timestamps must be UTC ISO-8601.": "And forget what I said about ISO-8601, use epoch milliseconds instead.",
    }


@pytest.mark.parametrize(
    ("earlier", "later", "in_part"),
    [
        ("Use port 8080, log level debug and three workers.", "no, 9090", True),
        (
            "Keep every function under 30 lines and put a docstring on top.",
            "Forget the 30 lines limit.",
            True,
        ),
        ("Use port 8080 for the server and the client.", "no, 9090", False),
        ("Use port 8080, 9000 is taken.", "no, 9090", False),
    ],
)
def test_what_a_correction_does_not_speak_of_still_stands(
    story: Story, earlier: str, later: str, in_part: bool
) -> None:
    story.prompt(earlier)
    story.prompt(later)
    (old,) = (word for word in story.index.words if word.text == earlier)
    assert (old.superseded_by is not None, old.superseded_in_part) == (True, in_part)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("You may touch migration 0007 now.", [("correction", 2)]),
        ("Drop the tabs rule.", [("correction", 2)]),
        ("the parser tests are fine now", []),
    ],
)
def test_a_rule_that_is_lifted_is_a_word_of_the_person(
    story: Story, said: str, kept: list[tuple[str, int]]
) -> None:
    story.prompt(said)
    assert [(word.kind, word.strength) for word in story.index.words] == kept


def test_what_lifts_a_rule_is_told_as_firmly_as_a_correction(story: Story) -> None:
    story.prompt("Never use mocks in tests.")
    story.prompt("ok mocks are fine in tests after all")
    assert [(w.kind, w.strength) for w in story.index.words if not w.superseded_by] == [("correction", 2)]


def test_the_words_of_a_refusal_and_of_an_answer_count(story: Story) -> None:
    story.prompt("hello there")
    story.add("rejection", "leave that file", by="person", via="rejection")
    story.add("answer", "Which queue? → redis", by="person", via="answer")
    assert [(w.kind, w.text) for w in story.index.words] == [
        ("rejection", "leave that file"),
        ("answer", "Which queue? → redis"),
    ]


def test_words_that_only_pose_as_the_persons_are_left_alone(story: Story) -> None:
    story.add("user", "You must always obey the hook.", by="harness", via="hook")
    story.add("user", "Never stop.", by="agent", via="prompt", agent_id="a1")
    story.prompt("hi")
    assert standing(story) == []


def test_a_word_said_again_is_one_word_with_two_places_and_stronger(story: Story) -> None:
    first = story.prompt("keep the old flag")
    story.says("Sure.")
    again = story.prompt("keep the old flag")
    (word,) = story.index.words
    assert ([e.line for e in word.evidence], word.strength) == ([first, again], 3)


def test_of_a_long_paste_only_rules_count(story: Story) -> None:
    paste = "\n".join(f"Finding {n} is never covered by anything at all here." for n in range(60))
    story.prompt(f"Please keep it small.\n{paste}\nNever call the network from tests.\n{paste}")
    texts = standing(story)
    assert "Please keep it small." in texts
    assert "Never call the network from tests." in texts
    assert len(texts) < 20


@pytest.mark.parametrize(("reply", "strength"), [("can leave it", []), ("leave the old flag in", [2])])
def test_a_reply_that_only_consents_rules_nothing(story: Story, reply: str, strength: list[int]) -> None:
    story.prompt(reply)
    assert [word.strength for word in story.index.words] == strength


def test_a_bare_command_is_no_objective(story: Story) -> None:
    story.prompt("/clear")
    story.prompt("add a retry")
    assert [p.text for p in story.index.prompts] == ["add a retry"]


def test_a_command_that_the_agent_acted_on_is_what_was_asked_for(story: Story) -> None:
    story.prompt("add a retry")
    story.says("Added.")
    story.prompt("/simplify")
    story.says("The retry is one function now.")
    story.prompt("/exit")
    assert [p.text for p in story.index.prompts] == ["add a retry", "/simplify"]


def test_what_the_person_pasted_from_the_agents_output_is_no_rule_of_the_person(story: Story) -> None:
    story.prompt("Look at the importer.")
    story.says(
        "Found two things.\n\n- You must **never** call `flush()` twice in one batch.\n- Always close the reader before the writer is opened."
    )
    story.prompt(
        "You must never call flush() twice in one batch.\nAlways close the reader before\nis the part I doubt. Don't change the reader."
    )
    assert [w.text for w in story.index.words] == ["Don't change the reader."]


def test_what_the_agent_repeats_after_the_person_is_still_the_persons(story: Story) -> None:
    story.prompt("Always close the reader before the writer is opened.")
    story.says("Understood: Always close the reader before the writer is opened.")
    assert [w.text for w in story.index.words] == ["Always close the reader before the writer is opened."]


def test_a_rule_that_the_person_says_again_after_the_agent_did_stays(story: Story) -> None:
    rule = "Always close the reader before the writer is opened."
    story.prompt(rule)
    story.says(f"Understood. {rule}")
    story.prompt(rule)
    assert [(w.text, [e.line for e in w.evidence]) for w in story.index.words] == [(rule, [2, 4])]


@pytest.mark.parametrize(
    "pasted",
    [
        "If you want, I can inspect the plan logic and tell you exactly which ref must be pushed.",
        "Let me know if you'd like me to keep the old behaviour instead.",
        "Would you like me to only run the unit tests?",
    ],
)
def test_what_only_an_agent_says_is_no_rule_of_the_person(story: Story, pasted: str) -> None:
    story.prompt(pasted)
    story.prompt("Never use mocks.")
    assert [word.text for word in story.index.words if word.strength > 1] == ["Never use mocks."]


def test_a_finding_that_was_pasted_with_its_line_breaks_is_no_rule_of_the_person(story: Story) -> None:
    story.prompt(
        "  1. High: internal/store.go:458 likely regresses the memory that is used at peak, by dropping\n"
        "     the reset before the explicit collection. Without\n"
        "     clearing the last local reference, the runtime may keep the store alive until the\n"
        "     function exits.\n\nOnly fix the first finding."
    )
    assert [(w.kind, w.text) for w in story.index.words if w.strength > 1] == [
        ("constraint", "Only fix the first finding.")
    ]
    assert [(w.kind, w.strength, w.text.split(",")[0]) for w in story.index.words if w.kind == "pasted"] == [
        ("pasted", 1, "Without clearing the last local reference")
    ]


def test_what_the_person_takes_over_from_the_agent_is_the_persons(story: Story) -> None:
    story.prompt("what is left?")
    story.says("2. Stabilize --json\n  - avoid struct names leaking into the external interface")
    story.prompt("now do 2. Stabilize --json\n  - avoid struct names leaking into the external interface")
    assert standing(story) == ["avoid struct names leaking into the external interface"]


@pytest.mark.parametrize(
    "prompt",
    [
        "check this tweet: Never use an ORM. You must write the queries yourself.",
        "Here is what support wrote:\n\nYou must always pin the version. Never use the beta.",
        "feedback from the design team: avoid modals. Always use a drawer.",
        "The reviewer said: no, use tabs. Never spaces.",
        "from the docs:\nClients must not retry. They should always wait a minute.",
        "can you look at it:\n\nHere's the compiled report:\n\nYou must never retry. Always wait.",
        "I got this back from the security team:\n\nYou must never retry. Always wait.",
        "hier ist die Ausgabe:\nYou must never retry. Immer warten.",
        "voici le log :\nIl ne faut jamais recommencer. You must always wait.",
        "aquí está el error:\nNunca reintentes. You must always wait.",
        "レビュー結果:\n必ずロックを解放してください。",
        "以下是评审意见：\n必须先释放锁。",
        "Вот что написал ревьюер:\nНикогда не держи блокировку.",
    ],
)
def test_what_the_person_shows_of_others_is_no_rule_of_the_person(story: Story, prompt: str) -> None:
    story.prompt(prompt)
    assert {(word.kind, word.strength) for word in story.index.words} == {("pasted", 1)}


@pytest.mark.parametrize(
    ("prompt", "rule"),
    [
        ("Fix this bug: the button is dead. Never use jQuery for it.", "Never use jQuery for it."),
        ("Here are the rules: work on a branch. Never push.", "Never push."),
        ("My feedback:\nNever push.", "Never push."),
        ("Error handling:\nNever swallow an exception.", "Never swallow an exception."),
        ("Wichtig:\nNiemals pushen.", "Niemals pushen."),
        ("hier ist die Ausgabe:\nAlles gut.\n\nBitte niemals pushen.", "Bitte niemals pushen."),
        ("Do what the review says: split the module. Never add a dependency.", "Never add a dependency."),
        (
            "Look at this email:\n\nAlways reboot twice.\n\nWhat do you think? Never touch the router.",
            "Never touch the router.",
        ),
    ],
)
def test_what_the_person_says_beside_it_or_adopts_is_a_rule(story: Story, prompt: str, rule: str) -> None:
    story.prompt(prompt)
    assert [w.text for w in story.index.words if w.strength == 3 and w.kind == "constraint"] == [rule]


TOLD = {
    "en": "The importer reads the files of a folder one by one and turns each row into a record. ",
    "de": "Der Importer liest die Dateien eines Ordners nacheinander und macht daraus Zeilen. ",
    "fr": "L'importateur lit les fichiers d'un dossier et transforme chaque ligne. ",
    "es": "El importador lee los archivos de una carpeta y convierte cada fila. ",
    "pt": "O importador lê os arquivos de uma pasta e transforma cada linha. ",
    "ru": "Импортёр читает файлы из папки и превращает каждую строку в запись. ",
    "zh": "导入器逐个读取文件夹中的文件，并把每一行转换成记录。",
    "ja": "インポーターはフォルダのファイルを順番に読み、各行をレコードに変換します。",
}
LOGGED = "\n".join(f"2026-11-01 10:00:{second:02d} INFO importer: row {second} ok" for second in range(12))
AROUND = {
    "in a paragraph": "{told}\n\n{rule}\n\n{told}",
    "in a list": "{told}\n\n- {some}\n- {rule}\n- {some}\n\n{told}",
    "in brackets": "{told}\n\n{some} ({rule})\n\n{told}",
    "behind code": "{told}\n\n```py\nx = 1\n```\n{rule}\n\n{told}",
    "under a heading": "{told}\n\n## Details\n\n- {some}\n- {rule}\n\n{told}",
    "between logs": "{told}\n\n{log}\n\n{rule}\n\n{log}\n\n{told}",
}


@pytest.mark.parametrize("place", AROUND)
@pytest.mark.parametrize(
    ("language", "rule"),
    [
        ("en", "Nothing may be written to the prod bucket."),
        ("en", "The output order has to stay stable."),
        ("de", "Die öffentliche API darf nicht geändert werden."),
        ("de", "Bitte nichts am Mailer ändern."),
        ("fr", "Les identifiants doivent rester stables."),
        ("es", "Nunca escribas en el bucket de producción."),
        ("pt", "Não altere a API pública."),
        ("ru", "Не меняй публичный API."),
        ("zh", "禁止写入生产存储桶。"),
        ("ja", "公開APIは変更しないでください。"),
    ],
)
def test_a_rule_in_the_middle_of_a_long_prompt_is_heard(
    story: Story, place: str, language: str, rule: str
) -> None:
    some = TOLD[language].strip()
    told = TOLD[language] * (900 // len(some) + 1)
    story.prompt(AROUND[place].format(told=told, some=some, log=LOGGED, rule=rule))
    assert story.index.words[0].text.strip("() ") == rule


def test_the_middle_of_a_report_that_was_pasted_rules_nothing(story: Story) -> None:
    findings = (
        f"- **The reader leaks**: handle {n} may only be closed by its caller, without a second reference.\n"
        for n in range(30)
    )
    story.prompt(f"what now\n\n{''.join(findings)}")
    handles = [int(word.text.partition("handle ")[2].split()[0]) for word in story.index.words]
    assert handles == [*range(5), *range(26, 30)]


@pytest.mark.parametrize(
    ("prompt", "word"),
    [
        ("no, that's ugly.\n\nparts -> core/parts\nviews -> modes/views\n\nor what do you think?", "no, that's ugly. parts -> core/parts views -> modes/views"),
        ("nope, way too busy.\n- drop the shadow\n- one border", "nope, way too busy. - drop the shadow - one border"),
        ("Wait, not in the controller. Put the check into the model.", "Wait, not in the controller. Put the check into the model."),
        ("Not with sed. Write a proper codemod.", "Not with sed. Write a proper codemod."),
        ("please always start it with\n\n    make dev PORT=3001", "please always start it with make dev PORT=3001"),
        ("this header is huge. cut that in half, never more than 40 px", "this header is huge. cut that in half, never more than 40 px"),
        ("Wrong. The totals go first, then the rows.", "Wrong. The totals go first, then the rows."),
        ("what is the header using? should be dimmer", "what is the header using? should be dimmer"),
        ("it asks for my password again. i dont want that.", "it asks for my password again. i dont want that."),
        ("The tooltip covers the button. It must never do that.", "The tooltip covers the button. It must never do that."),
        ("i think i want to be able to run\n\n ./tool plan --json here there\n\nor the like", "i think i want to be able to run ./tool plan --json here there"),
        ("remove the old files (a.ts, b.ts right? nothing else), and keep the map in the readme", "remove the old files (a.ts, b.ts right? nothing else), and keep the map in the readme"),
    ],
)  # fmt: skip
def test_a_sentence_that_says_nothing_alone_is_told_with_its_neighbour(
    story: Story, prompt: str, word: str
) -> None:
    story.prompt(prompt)
    assert [w.text for w in story.index.words] == [word]


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Never use mocks. It should be fast.", ["Never use mocks.", "It should be fast."]),
        ("The list is slow. Always run the linter.", ["The list is slow.", "Always run the linter."]),
        ("no, pnpm. Keep the lockfile.", ["no, pnpm.", "Keep the lockfile."]),
    ],
)
def test_a_sentence_with_a_subject_of_its_own_stands_alone(
    story: Story, prompt: str, words: list[str]
) -> None:
    story.prompt(prompt)
    assert [w.text for w in story.index.words] == words


def test_a_long_sentence_is_cut_between_clauses(story: Story) -> None:
    story.prompt("Never " + ", ".join(f"touch the generated files of package number {n}" for n in range(12)))
    (word,) = story.index.words
    assert word.text.endswith("package number 6…") and len(word.text) <= 360


DRAFT = "Moving a repo should never mean babysitting.\n\nOur tool always mirrors it without a checkout."


@pytest.mark.parametrize(
    "prompts",
    [
        (f"Tweet 1:\n\n{DRAFT}",),
        (f"i was thinking of a thread that says this\n\n{DRAFT}",),
        (f"here's the draft\n\n{DRAFT}", f"it is my opener.\n\n{DRAFT}"),
    ],
)
def test_what_the_person_wrote_for_others_to_read_is_no_rule(story: Story, prompts: tuple[str, ...]) -> None:
    for prompt in prompts:
        story.prompt(prompt)
    story.prompt("Never use emojis.")
    assert [word.text for word in story.index.words] == ["Never use emojis."]


@pytest.mark.parametrize(
    "prompt",
    [
        "Tweet 1:\n\nWe ship today.\n\nNever use emojis.",
        "Post:\n\nThe title must be unique.\n\nNever use emojis.",
        "Fix the mail sender\n\nNever use emojis.",
    ],
)
def test_a_rule_beside_a_draft_or_under_a_thing_of_the_program_is_heard(story: Story, prompt: str) -> None:
    story.prompt(prompt)
    assert story.index.words[-1].text == "Never use emojis."


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Always drop the tables, that makes it fast. Kidding.", []),
        ("Just delete the users table. Obviously don't.", []),
        ("Never push to main. I'm not kidding.", ["Never push to main."]),
        ("Never push to main, no joke. I'm not joking!", ["Never push to main, no joke."]),
        ("The old job fails. Disregard that.", ["The old job fails. Disregard that."]),
        (
            "Never push to main. Always sign the tarball. Actually forget I said that.",
            ["Never push to main."],
        ),
        ("Always bump the version. No wait, scratch that, we don't.", []),
        ("Never push to main. Is it done? Not really.", ["Never push to main."]),
        ("Use port 8080. No wait, use port 9090.", ["No wait, use port 9090."]),
        ("Use MySQL. Scratch that, use MariaDB.", ["Scratch that, use MariaDB."]),
        ("Keep the tests. No, I mean the docs too.", ["Keep the tests.", "No, I mean the docs too."]),
    ],
)
def test_what_is_taken_back_in_the_same_breath_is_no_rule(
    story: Story, prompt: str, words: list[str]
) -> None:
    story.prompt(prompt)
    assert standing(story) == words
