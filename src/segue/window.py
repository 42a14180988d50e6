"""The context window for agents of your own: `from segue.window import Window, Message`.

window = Window(200_000, how="sliding_window")
plan = window.feed([Message("1", "user", "Hello")], used_tokens=180_000)
plan.keep, plan.pruned, plan.moment
"""

from segue.boundary.policy import Thresholds
from segue.boundary.window import Limits, Message, Plan, Window

__all__ = ["Limits", "Message", "Plan", "Thresholds", "Window"]
