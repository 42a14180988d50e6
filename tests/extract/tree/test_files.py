"""Files: what was done to each, how far along it is, and what to look for in it."""

from __future__ import annotations

from segue.extract import index
from segue.extract.tree.places import Places
from segue.model.entry import Edit
from segue.model.facts import FileFact
from segue.redaction.redactor import Redactor

from ..story import Story


def files(story: Story) -> dict[str, FileFact]:
    return {file.path: file for file in story.index.files}


def test_a_file_is_one_file_however_it_was_named(story: Story) -> None:
    story.prompt("go")
    story.edit("/home/me/app/src/a.py")
    story.run("cd src && cat a.py")
    story.run("cat ./src/a.py")
    story.says("Look at `a.py` again.")
    assert list(files(story)) == ["src/a.py"]


def test_symbols_changed_sought_or_named_beside_a_file_are_tied_to_it(story: Story) -> None:
    story.prompt("go")
    story.edit("src/a.py", new="def next_delay(self): RetryPolicy()", old="RetryPolicy()")
    story.read("src/b.py", kind="search", text="enqueue_parcel")
    story.run("rg -n load_config src/c.py", "4:load_config()")
    story.says("`src/b.py` holds parcelQueue.")
    tied = {path: set(file.symbols) for path, file in files(story).items()}
    assert tied == {
        "src/a.py": {"next_delay", "RetryPolicy"},
        "src/b.py": {"enqueue_parcel", "parcelQueue"},
        "src/c.py": {"load_config"},
    }


def test_the_work_state_follows_from_what_was_seen_after_the_last_edit(story: Story) -> None:
    story.prompt("go")
    story.edit("committed.py")
    story.run("git commit -am x", "[main abc1234] x")
    story.edit("broken.py")
    story.edit("beside.py")
    story.run("make lint", "broken.py:1: error: no", 2)
    story.edit("later.py")
    story.says("Done.")
    assert {p: f.work_state for p, f in files(story).items()} == {
        "committed.py": "ready",
        "broken.py": "partially_done",
        "beside.py": "needs_review",
        "later.py": "needs_review",
    }
    story.prompt("more")
    story.edit("open.py")
    assert files(story)["open.py"].work_state == "editing"


def test_a_file_edited_after_the_check_that_named_it_is_to_be_reviewed(story: Story) -> None:
    story.prompt("go")
    story.edit("broken.py")
    story.run("make lint", "broken.py:1: error: no", 2)
    story.edit("broken.py")
    story.says("That should do.")
    assert files(story)["broken.py"].work_state == "needs_review"


def test_a_check_that_passed_does_not_make_a_file_ready(story: Story) -> None:
    story.prompt("go")
    story.edit("a.py")
    story.run("pytest", "3 passed in 0.1s")
    story.says("Done.")
    assert files(story)["a.py"].work_state == "needs_review"


def test_an_edit_that_git_threw_away_is_seen(story: Story) -> None:
    story.prompt("go")
    story.edit("src/a.py", new="x")
    story.edit("src/b.py", new="x")
    story.run("git checkout -- src/a.py")
    assert {p: f.action for p, f in files(story).items()} == {"src/a.py": "reverted", "src/b.py": "modified"}


def test_throwing_everything_away_spares_what_was_committed(story: Story) -> None:
    story.prompt("go")
    story.edit("kept.py")
    story.run("git commit -am x", "[main abc1234] x")
    story.edit("lost.py")
    story.edit("/elsewhere/other.py")
    story.run("git reset --hard")
    assert {p: f.action for p, f in files(story).items()} == {
        "kept.py": "modified",
        "lost.py": "reverted",
        "/elsewhere/other.py": "modified",
    }


def test_an_edit_that_failed_or_was_refused_changed_nothing(story: Story) -> None:
    story.prompt("go")
    story.edit("a.py", ok=False)
    name = story.call("Bash", "shell", command="rm b.py")
    story.add("rejection", "no", by="person", via="rejection", call_id=name)
    assert {p: f.action for p, f in files(story).items()} == {"a.py": "read"}


def test_edits_without_results_are_taken_as_made(story: Story) -> None:
    story.prompt("go")
    story.call("Write", "write", paths=("a.py",), edits=(Edit(path="a.py", action="created"),))
    story.prompt("next")
    assert files(story)["a.py"].action == "created"


def test_a_shell_changes_files_too(story: Story) -> None:
    story.prompt("go")
    story.run("cat > notes.md <<'EOF'\nhello\nEOF")
    story.run("rm old.py && mv a.py b.py && sed -i s/x/y/ c.py")
    assert {p: f.action for p, f in files(story).items()} == {
        "notes.md": "created",
        "old.py": "deleted",
        "b.py": "renamed",
        "c.py": "modified",
    }


def test_the_why_of_an_edit_is_what_the_agent_had_just_said(story: Story) -> None:
    story.prompt("make the client patient")
    story.says("Now let me add a backoff to the client.")
    story.edit("a.py")
    story.prompt("Also log every retry.")
    story.edit("b.py")
    assert {p: f.why for p, f in files(story).items()} == {
        "a.py": "Now let me add a backoff to the client.",
        "b.py": "",
    }


def test_what_was_said_many_calls_ago_is_no_why_of_another_file(story: Story) -> None:
    story.prompt("make the client patient")
    story.says("Let me rename the queue everywhere.")
    story.edit("c.py")
    for number in range(8):
        story.read(f"r{number}.py")
    story.edit("c.py")
    story.edit("d.py")
    assert {p: f.why for p, f in files(story).items() if f.edits} == {
        "c.py": "Let me rename the queue everywhere.",
        "d.py": "",
    }


def test_methods_hosts_and_addresses_are_no_files(story: Story) -> None:
    story.prompt("go")
    story.says(
        "Call theme.fg() via console.error on Node.js, mail a@b.py, see github.com, v1.2.3 and src/a.py."
    )
    assert list(files(story)) == ["src/a.py"]


def test_the_root_is_where_most_of_the_work_is() -> None:
    places = Places()
    places.stand("/home/me", own=True)
    places.stand("/home/me/trees/fix")
    places.choose_root(["/home/me/trees/fix/a.py", "/home/me/trees/fix/b.py"])
    assert (places.root, places.relative("/home/me/trees/fix/a.py")) == ("/home/me", "trees/fix/a.py")
    places.stand("/srv/app")
    places.choose_root([f"/srv/app/{n}.py" for n in range(9)])
    assert places.relative("/srv/app/1.py") == "1.py"


def test_bare_suffixes_and_globs_are_no_files(story: Story) -> None:
    story.prompt(
        "All `_test.go` files and every .d.ts.svelte are generated; see `src/**/_spec.rb` and .module.css too."
    )
    story.read("src/**/*.ts", kind="search", text="resume_from")
    story.read("src/upload.ts")
    assert list(files(story)) == ["src/upload.ts"]


def test_a_method_of_something_named_like_a_file_is_no_file(story: Story) -> None:
    story.prompt("go")
    story.says("Set mock_response.json.return_value, then see config.prod.local.json.")
    assert list(files(story)) == ["config.prod.local.json"]


def test_a_file_is_deleted_once_also_where_the_record_and_the_command_both_say_so(story: Story) -> None:
    story.prompt("go")
    gone = Edit(path="old.py", new="", old="", action="deleted")
    name = story.call("run_shell_command", "shell", command="rm old.py", edits=(gone,))
    story.add("tool_result", "", call_id=name, exit_code=0, is_error=False)
    (file,) = story.index.files
    assert (file.path, file.action, file.edits) == ("old.py", "deleted", 1)


def test_what_was_committed_is_ready(story: Story) -> None:
    story.prompt("go")
    story.edit("a.py")
    story.run("git commit -am more", "[main 1a2b3c4] More\n 1 file changed\n")
    story.says("Committed.")
    assert files(story)["a.py"].work_state == "ready"


def delegated(story: Story) -> None:
    name = story.call("Task", "task", text="convert the tags")
    story.add("subagent_start", "Convert all tags", call_id=name)
    story.add("tool_result", "Converted src/stats.go and src/model.go.", call_id=name, tool_kind="task")
    story.add("subagent_end", by="subagent", call_id=name)


def test_what_a_sub_agent_changed_is_told_as_the_transcript_shows_it(story: Story) -> None:
    story.prompt("go")
    story.edit("src/stats.go")
    story.run("go test ./...", "ok  \tx\t0.1s")
    story.prompt("camelCase, please")
    story.says("I'll have sub-agents convert the tags to camelCase.")
    delegated(story)
    at = story.add("user", "type Stats struct", by="harness", via="notification", paths=("src/stats.go",))
    files = {f.path: f for f in story.index.files}
    assert (files["src/stats.go"].edits, files["src/stats.go"].evidence[0].line) == (2, at)
    assert files["src/stats.go"].work_state == "editing"
    assert files["src/stats.go"].why == "I'll have sub-agents convert the tags to camelCase."
    assert files["src/model.go"].action == "mentioned"


def test_what_a_formatter_changed_beside_is_no_edit_of_its_own(story: Story) -> None:
    story.prompt("go")
    delegated(story)
    story.edit("src/stats.go")
    story.run("gofmt -w . && go test ./...", "ok  \tx\t0.1s")
    story.add("user", "type Stats struct", by="harness", via="notification", paths=("src/stats.go",))
    assert [f.edits for f in story.index.files if f.path == "src/stats.go"] == [1]


def test_names_of_git_are_no_files(story: Story) -> None:
    story.prompt("Delete refs/tags/v0.5.6-nightly.2026.cbf5d9b3 and look at refs/files-backend.c.")
    story.run("git push origin :refs/heads/topic.fix", "")
    assert [f.path for f in story.index.files] == ["refs/files-backend.c"]


def test_a_directory_that_holds_known_files_is_no_file(story: Story) -> None:
    story.prompt("go")
    story.read("internal/auth")
    story.read("tasks/lint")
    story.read("/home/me")
    story.edit("internal/auth/token.go")
    assert [f.path for f in story.index.files] == ["tasks/lint", "internal/auth/token.go"]


def test_a_file_named_in_full_and_in_short_is_one_where_no_directory_is_told(story: Story) -> None:
    story.entries.clear()
    story.add("meta", by="harness", data={"id": "s"})
    story.prompt("go")
    story.edit("/home/me/till/src/close.ts")
    story.read("/home/me/till/src/open.ts")
    story.run("npx eslint src/close.ts && cat src/open.ts")
    story.run("npx tsc --noEmit", "src/close.ts(3,18): error TS2304: Cannot find name 'x'.", 2)
    story.says("Stopping here.")
    assert {file.path: (file.action, file.work_state) for file in story.index.files} == {
        "src/close.ts": ("modified", "partially_done"),
        "src/open.ts": ("read", None),
    }


def test_a_secret_in_the_name_of_a_file_is_shown_nowhere(story: Story) -> None:
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5a"
    story.prompt("go")
    story.edit(f"src/{token}.py", new="def load(): pass")
    story.read(f"docs/{token}/notes.md")
    made = index.build(story.entries, "claude-code", "s.jsonl", Redactor().redact)
    assert [file.path for file in made.files] == [
        "src/[redacted:github-token].py",
        "docs/[redacted:github-token]/notes.md",
    ]
    assert token not in repr(made)
