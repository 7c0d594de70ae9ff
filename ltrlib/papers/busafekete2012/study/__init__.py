"""The study of Busa-Fekete et al. (2012): rankers trained and evaluated under the NDCG of different tools.

``python -m ltrlib.papers.busafekete2012.study --help`` says how to record it.
"""
