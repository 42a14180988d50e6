"""Files and symbols that are not there are not told: fragments, addresses, variables, aliases and what was taken out."""

from __future__ import annotations

import pytest

from ..story import Story


def files(story: Story) -> set[str]:
    return {file.path for file in story.index.files}


def symbols(story: Story, path: str) -> set[str]:
    (found,) = (file.symbols for file in story.index.files if file.path == path)
    return set(found)


@pytest.mark.parametrize(
    "said",
    [
        'I use an `exports` entry "./styles.css" instead.',
        "The error comes from ./layout.tsx then.",
        "It imports @/components/ui/button.tsx now.",
    ],
)
def test_what_is_imported_by_a_relative_name_or_an_alias_is_no_file(story: Story, said: str) -> None:
    story.edit("web/app.ts")
    story.says(said)
    assert files(story) == {"web/app.ts"}


def test_what_may_be_the_end_of_a_longer_path_is_no_file(story: Story) -> None:
    story.read("internal/syncer/syncer.go")
    story.says("About 50 assertions in `syncer/integration_test.go` do that.")
    assert files(story) == {"internal/syncer/syncer.go"}


def test_a_path_that_begins_like_the_project_is_called_is_one(story: Story) -> None:
    story.read("lib/a.ts")
    story.says("Then app/page.tsx shows it.")
    assert "app/page.tsx" in files(story)


def test_a_path_that_is_said_to_begin_here_is_one(story: Story) -> None:
    story.read("docs/components/card.md")
    story.says("The trace names ./components/header.tsx as well.")
    assert "components/header.tsx" in files(story)


def test_a_path_from_the_top_is_one_though_a_directory_below_is_called_the_same(story: Story) -> None:
    story.read("docs/a.md")
    story.read("web/docs/b.md")
    story.says("The plan is in docs/plan.md already.")
    assert "docs/plan.md" in files(story)


def test_a_name_given_to_a_command_means_the_known_file_of_that_name(story: Story) -> None:
    story.read("src/nav/launch/nav.launch.py")
    story.run("ros2 launch nav nav.launch.py", "up")
    assert files(story) == {"src/nav/launch/nav.launch.py"}


def test_a_name_given_where_a_command_went_is_one_there(story: Story) -> None:
    story.read("a/run.py")
    story.run("cd b && python run.py", "ok")
    assert files(story) == {"a/run.py", "b/run.py"}


def test_a_name_that_no_known_file_bears_is_one_where_the_command_ran(story: Story) -> None:
    story.read("src/other.py")
    story.run("python try_it.py", "ok")
    assert "try_it.py" in files(story)


@pytest.mark.parametrize(
    "command",
    [
        'tmpdir=$(mktemp -d); git clone -q https://example.com/r.git "$tmpdir/repo"; cd "$tmpdir/repo"; cat lib/util.lua',
        "gh api repos/o/r/contents/lib/util.lua",
    ],
)
def test_what_lies_in_a_variable_or_on_a_host_is_no_file_here(story: Story, command: str) -> None:
    story.run(command, "return {}")
    story.says("There `lib/util.lua` returns nothing.")
    assert files(story) == set()


def test_a_symbol_that_an_edit_took_out_leads_nowhere(story: Story) -> None:
    story.edit("db/a.rb", new="add_reference :orders_archive", old="")
    story.says("In `db/a.rb` orders_archive was wrong.")
    story.edit("db/a.rb", new="add_reference :live_orders", old="add_reference :orders_archive")
    assert symbols(story, "db/a.rb") == {"add_reference", "live_orders"}


def test_a_symbol_that_may_stand_behind_a_long_insertion_is_still_one(story: Story) -> None:
    story.edit("db/a.rb", new="insert_me " * 98, old="orders_archive")
    assert symbols(story, "db/a.rb") == {"insert_me", "orders_archive"}


def test_a_symbol_that_was_put_in_again_is_one(story: Story) -> None:
    story.edit("db/a.rb", new="live_orders", old="orders_archive")
    story.edit("db/a.rb", new="orders_archive", old="live_orders")
    assert symbols(story, "db/a.rb") == {"orders_archive"}


def test_a_program_that_was_run_is_no_symbol_of_a_file(story: Story) -> None:
    story.run("find_file handler.py", "src/handler.py")
    story.read("src/handler.py")
    story.says("With find_file I found src/handler.py and its PixelReader.")
    assert symbols(story, "src/handler.py") == {"PixelReader"}
