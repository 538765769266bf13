"""Prompts are text files beside this one, in our own words; users may bring theirs."""

from wardlens.evaluators.prompts.claim_prompts import ClaimPrompts, load_claim_prompts

__all__ = ["ClaimPrompts", "load_claim_prompts"]
