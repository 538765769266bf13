"""Prompts are text files beside this one, in our own words; users may bring theirs."""

from wardlens.evaluators.prompts.claim_prompts import ClaimPrompts, load_prompts
from wardlens.evaluators.prompts.task_prompts import TaskPrompts, load_task_prompts

__all__ = ["ClaimPrompts", "TaskPrompts", "load_prompts", "load_task_prompts"]
