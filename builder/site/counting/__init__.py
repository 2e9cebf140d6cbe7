"""The words of a site by numbers, and which of them are forms of one another.

It may import the words of a page and what makes stems.
"""
