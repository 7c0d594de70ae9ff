"""What hidden results must have been, given only what was published of them.

From winning numbers, ideal winning numbers and numbers of data sets per method and metric, together with facts from
elsewhere, the modules work out

- ``whole_numbers``: which whole numbers stand behind printed quotients;
- ``puzzle`` and ``presence``: which methods have results on which data sets, and how far that is determined;
- ``counting``: how many solutions there are, exactly, and random ones among them;
- ``orders``: orders of the methods on each data set that give every winning number, sampled, because there are many;
- ``check``: whether a reconstruction fits, in code of its own.
"""
