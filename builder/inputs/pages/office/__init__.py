"""Word processors' and presentations' files: DOCX, PPTX, OpenDocument and RTF.

It may import what pages/ may, and of pages/ the files at its top.
"""
