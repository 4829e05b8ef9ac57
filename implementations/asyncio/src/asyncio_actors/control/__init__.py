"""All that stands between the pipes and the first actor."""
