"""The words of pages with what they weigh, the words of a site by numbers, and which of them are
forms of one another.

It may import what the attributes of pages say, and what makes stems.
"""
