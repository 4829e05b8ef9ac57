"""The site: who is certified for what, from results and certificates of anybody, as pages.

Its input is data of strangers: every file is bounded, no path in it is followed, and what it says
of itself stays its own word. ``fetch`` alone has a network; the pages have none. Nothing that runs
an implementation may enter.
"""
