"""A sample project and a session that ended in mid-turn, for `segue demo` and for trying things out.

`{cwd}` in the session stands for the place of the project.
"""

from __future__ import annotations

import os

_HERE = os.path.dirname(os.path.abspath(__file__))
GOAL = "finish the retry tests"
PROJECT = {
    "uploader.py": (
        "import http.client\nimport time\n\nfrom transport import ServerError, send\n\n\n"
        "def upload(data, url):\n    return retry_with_backoff(lambda: send(data, url))\n\n\n"
        "def retry_with_backoff(attempt, tries=4, first_delay=0.5):\n    for number in range(tries):\n"
        "        try:\n            return attempt()\n        except ServerError:\n"
        "            if number == tries - 1:\n                raise\n"
        "            time.sleep(first_delay * 2**number)\n"
    ),
    "transport.py": "class ServerError(Exception): ...\n\n\ndef send(data, url): ...\n",
    "tests/test_uploader.py": "def test_retries_on_503(): ...\n",
    "README.md": "# Uploader\n",
    ".env": "ARCHIVE_URL=http://localhost:8080\nARCHIVE_TOKEN=tk-Zq81LmX02pPw7vRtY4\n",
}
"""What the session read and wrote; the token opens nothing."""


def unpack(folder: str) -> str:
    """Writes the project into a folder and the session beside it; returns the session's path."""
    for name, text in PROJECT.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    with open(os.path.join(_HERE, "uploader.jsonl"), encoding="utf-8") as file:
        session = file.read().replace("{cwd}", folder)
    path = os.path.join(folder, "session.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(session)
    return path
