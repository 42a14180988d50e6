"""Words that settings hold and sentences need: never learnt as a secret, whatever name they stand under.

A password that is such a word protects nothing that its removal from all text would save, and the text
would lose the word everywhere.
"""

from __future__ import annotations

_SETTINGS = """admin administrator always auto basic bearer blank console cookie debug default development digest disable
disabled docker enable enabled error expired external false file files github gitlab global google guest header host
http https info internal invalid json jwt keychain keyring level local localhost master memory missing mongo mongodb
mysql never none normal null oauth oidc optional password postgres postgresql prefer production prompt public rabbitmq
random readonly redis refresh remote required revoked root saml sandbox session sqlite stage staging standard static
status store strict system temp temporary test testing trace true undefined unset user valid vault verbose warn
warning"""
_SPEECH = """about above after again against agent agents almost along already also although among another answer anything
apple around back bash because become been before began begin being below best better between both branch break build
built cache call called cannot case cause change changed changes check class clean clear client close code column
command commit common complete config contain content context continue copy correct could count create created
current custom data database date deploy design detail different directory document does done down draft each edit
either else empty ends engine enough entry even event every everything exact example except exists expect expected
export fail failed fails feature field find fine first fixed folder follow following format forward found four free
from full function game given goes good great group half hand handle hard have head hello help here high hold home
however html idea image import include index inside instead integer into issue item items itself just keep kept kind
know known label large last later latest lead leave left length less like limit line lines link list little live load
local lock login long look made mail main make making many mark match maybe mean means merge message might mind model
module monkey more most move much must name names need needs network next nice nothing number object offline often
once online only open option order other others output over page pages panic parent parse part pass path pattern
people place plain plan play please point port possible present press print problem process program project proper
provide pull push python query queue quick quit quite rather read ready real really reason record release remain
remove render repeat replace report repo request reset response rest result results retry return returns review right
room rule rules runs rust safe same sample save scan schema scope search second section seem select send sent server
service sets several shell short should show side simple since single site size small some something soon source space
speak split stack start state step steps still stop story string style such suite support sure switch table take taken
tests text than that their them then there these they thing things think this those though three through time times
title today together took tool tools total toward tree tried tries trunk type types under unit until update upper used
useful user using utils value values version very view wait walk want watch week well were what when where which while
whole will with within without word words work works world would write wrong year your zero"""
_LOGINS = """abac acl active admins allow allowed anon anonymous argon auth authed authelia authenticate authenticated
authentication authenticator authorization authorize authorized azure base bcrypt beta biometric by cas cert
certificate certs challenge chap clerk cloudflare cognito configured cookies cram credential crypto csrf css csv curl
day decode denied deny deps derived deterministic device devise dir dynamic edge email encode err exchange extern
externally factor fallback firebase flow forbidden form gateway get green gss gssapi handler hash hashed hmac httponly
iam ident identity implicit inherit init injected insecure ipv jwks kerberos keycloak kube kubernetes layer ldap
legacy lib lucia magic managed manual md method methods middleware mode mtls multi mutual native negotiate netrc
nextauth nginx noauth nobody nonce nop ntlm off ok okta on onetime openid otp pam passed passkey passport pbkdf peer
per permission permissive phone pkce policy post preemptive preshared provider proxy psk pubkey radius rand rbac realm
red refreshed reject role roles rotate rotated round rsa sasl scheme scopes scram scrypt secure seed seeded seeds self
sha shadow shared signature signed signin signup sms smtp spnego ssh ssl sso strategy success sum supabase tacacs tcp
ticket tls totp trust trusted two unauthenticated unauthorized unix unixtime uri url username utf verified verify via
web webauthn win windows xml xoauth yellow yes"""

EVERYDAY = frozenset(f"{_SETTINGS} {_SPEECH}".split())
LOGINS = frozenset(_LOGINS.split())
"""What is said about how somebody logs in, how a test went, where randomness comes from."""
