"""The tools of Copilot in the editor: what they are, what they are given and what they show.

A tool has two names: the model's (`read_file`) and the editor's (`copilot_readFile`).
"""

from __future__ import annotations

from typing import Any

from segue.agents._record import items, record, records, word
from segue.agents._toolcall import kinds

KINDS = kinds(
    shell="run_in_terminal",
    read="read_file read_notebook_cell_output",
    write="create_file",
    edit="insert_edit_into_file replace_string_in_file multi_replace_string_in_file apply_patch "
    "edit_notebook_file",
    search="semantic_search file_search grep_search list_dir list_code_usages "
    "search_workspace_symbols test_search",
    web="fetch_webpage github_repo",
    task="runSubagent",
    todo="manage_todo_list",
)
CREATE = "create_file"
TASK = "runSubagent"
_OF_THE_EDITOR = {
    "copilot_runInTerminal": "run_in_terminal",
    "runInTerminal": "run_in_terminal",
    "copilot_readFile": "read_file",
    "copilot_readNotebookCellOutput": "read_notebook_cell_output",
    "copilot_createFile": "create_file",
    "copilot_insertEdit": "insert_edit_into_file",
    "copilot_replaceString": "replace_string_in_file",
    "copilot_multiReplaceString": "multi_replace_string_in_file",
    "copilot_applyPatch": "apply_patch",
    "copilot_editNotebook": "edit_notebook_file",
    "copilot_searchCodebase": "semantic_search",
    "copilot_findFiles": "file_search",
    "copilot_findTextInFiles": "grep_search",
    "copilot_listDirectory": "list_dir",
    "copilot_listCodeUsages": "list_code_usages",
    "copilot_searchWorkspaceSymbols": "search_workspace_symbols",
    "copilot_findTestFiles": "test_search",
    "copilot_fetchWebPage": "fetch_webpage",
    "vscode_fetchWebPage_internal": "fetch_webpage",
    "copilot_githubRepo": "github_repo",
    "copilot_getErrors": "get_errors",
    "copilot_getChangedFiles": "get_changed_files",
    "copilot_createDirectory": "create_directory",
    "copilot_memory": "memory",
}
INTERNAL = ("vscode_editFile_internal",)
"""Tools by which another tool does its work."""
_ALIASES = {"code": "new", "todoList": "todos", "explanation": "description", "isBackground": "background"}
_TEXT = 2
"""The kind of a node that holds text; those of all other kinds hold nodes."""


def named(tool_id: str) -> str:
    """The model's name of a tool that the editor names."""
    return _OF_THE_EDITOR.get(tool_id, tool_id)


def arguments(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    """A tool's arguments under the names that all tools share."""
    told = {_ALIASES.get(key, key): value for key, value in given.items()}
    if isinstance(told.get("urls"), list):
        told["urls"] = "\n".join(filter(None, map(word, told["urls"])))
    return told


def output(result: Any) -> str:
    """What the model was shown of a result: texts, and trees of pieces of text."""
    parts = []
    for part in records(record(result).get("content")):
        value = part.get("value")
        parts.append(word(value) if not isinstance(value, dict) else _flat(value.get("node")))
    return "\n".join(filter(None, parts))


def _flat(root: Any) -> str:
    """The text of a tree. Its depth is the session's affair, so it is walked without calling itself."""
    told: list[str] = []
    waiting = [root]
    while waiting:
        node = record(waiting.pop())
        if node.get("type") == _TEXT:
            text = word(node.get("text"))
            if node.get("lineBreakBefore") is True and told and not told[-1].endswith("\n"):
                told.append("\n")
            if text:
                told.append(text)
        else:
            waiting += reversed(items(node.get("children")))
    return "".join(told)
