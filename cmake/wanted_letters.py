"""Lists the letters that Vitrine needs of a font for Chinese, Japanese and Korean, a code point in hexadecimal on each line:
wanted_letters.py OUT TEXT…

Kana, CJK punctuation, full-width forms, the common kanji (JIS X 0208, level 1), the 2,350 Hangul of KS X 1001, and
whatever else the given texts hold."""

import sys


def encodable(codec, leads, trails):
    """The code points that a double-byte character set gives for a range of bytes."""
    letters = set()
    for lead in leads:
        for trail in trails:
            try:
                letters.add(ord(bytes([lead, trail]).decode(codec)))
            except (UnicodeDecodeError, TypeError):
                pass
    return letters


def wanted(texts):
    letters = set(range(0x3000, 0x3100)) | set(range(0xFF00, 0xFFF0))
    letters |= encodable("euc_jp", range(0xB0, 0xD0), range(0xA1, 0xFF))  # rows 16 to 47: level 1
    letters |= encodable("euc_kr", range(0xB0, 0xC9), range(0xA1, 0xFF))  # Hangul
    for path in texts:
        with open(path, encoding="utf-8") as file:
            letters |= set(map(ord, file.read()))
    return letters


def main(target, texts):
    with open(target, "w", encoding="ascii") as file:
        file.writelines(f"{letter:x}\n" for letter in sorted(wanted(texts)))


main(sys.argv[1], sys.argv[2:])
