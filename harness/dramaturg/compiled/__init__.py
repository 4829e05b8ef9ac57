"""The model as machine code: its sources, translated to 64-bit integers and compiled by mypyc.

The model in ``model/`` is the only one that is written. The compiled one is made from it, lies in a
package of its own that is named by a digest of all sources, and is used where there is one for
these sources (``loading.py``). Without it the model itself runs, and gives the same verdicts.
"""
