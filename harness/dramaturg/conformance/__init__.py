"""Performing a plan: worlds that are driven through cases, searched for scripts, and judged.

Everything enters that a performance needs: plan, control, net, cases and traces. Only here is
pytest.
"""
