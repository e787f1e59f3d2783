"""Matches without sockets: agents, the dealer's judgement and records, schedules, scores."""
