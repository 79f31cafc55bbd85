"""Texts and files that have been hard for some program: where the fuzzer begins, and what tokenizers are tried on.

What it finds is added here, or to the test of what was at fault.
"""

SCRIPTS = [
    "",
    " ",
    ".",
    "..",
    ". 5",
    "1.",
    "1. ",
    "1.2.",
    ",.1,.",
    "-1-2 3-",
    "1.)",
    "a\n",
    "\t.5\u3000",
    "it's <b> &amp; &lt;",
    "他说：“1.5％的人，来了。”２０２２年３．５",
    "中.5中,中-1-中",
    "猫が座る。ｶﾞｷﾞｸﾞ 「テスト」・ー",
    "고양이가 앉는다. 3.5%를 (다시)",
    "แมวนั่ง ๑๒.๓ ๆ ฯลฯ",
    "القطة، جلست؛ ٣٫١٤ ؟",
    "बिल्ली बैठी। १२.५ ₹५०",
    "তিন ৩.১৪ ௧௨.௩ ౧.౨",
    "בַּיִת־סֵפֶר ״כן״",
    "«¿Qué?» ¡sí!… 1½. ²; Ⅷ, ①.",
    "👩‍👩‍👧‍👦 👍🏽 🇨🇿 ☺️ ❤️‍🔥 ✈.",
    "e\u0301 a\u0308. n\u0303\u0303, \u0301. \ufeff.",
    "ＡＢＣ　１２．３！（全角）",
    "𠀀𠀁 𪛖 丽 \u2a6e ⪀ → ∑ ⟨x⟩",
    "\u2000.\u2001.\u200a.\u200b.\u2028.\u202f.\u205f.\u3000.",
    "\x1c.\x1d,\x85.\xa0, \x00.\x7f.",
    "\u0378. \U000e0000, \U0010ffff. \uffff; \ue000.",
    "\ud800. x\udc00, \ud83d\ude00 \udfff",
]
"""Scripts, digits of other scripts, joiners, combining marks, full-width forms, unassigned code points, surrogates."""

MARKS = [
    "the cat sat on the mat .",
    "The Cat sat, on 3.14 mats-",
    "\u0130stanbul \u0131 \u017f \u1e9e \ufb01 \u03a3\u03c3\u03c2 I\u0307",
    "a" * 70,
    "0" * 20 + ".",
    "x\0y \0",
    "&amp;amp;lt; &amp;#38; &quot;&apos;&#39;&#x41;&nbsp;&lt",
    "&am<skipped>p; <skipped>-\n<skip",
    "a-\nb-\n",
    "-\n",
    "5-\n.-\n ",
    "\ud83d",
    "\U0001f1e8\U0001f1ff",
    "\r\n\r",
    "\x85\u2028\u2029\v\f",
    "\u3000\xa0\u2007\u202f",
    "\ufeff",
    '<seg id="1">x</seg>',
    '</refset><doc docid="d">',
    '<!ENTITY a "b">',
    "]]> <![CDATA[ <?pi?> <!-- - -->",
    'a|b,c:d=e\t"q"',
    "<unk> <unk>",
    "\u0660.\u0661,\u0662-\u0663",
    "1,5.-2-3.,",
    "..,,--''",
    "\xad\u200b\u200d\u2060",
    "\u1100\u1161\u11a8 \uac01 \uff76\uff9e \u30ac",
    "\U0010ffff\uffff\ufffe",
    "\u202eabc\u202c",
    "http://a.b/c?d=e&f=g user@example.org",
    "#tag @user :-) 10% $5.50 (1)",
]
"""What means something to a tokenizer, a file format or a signature."""

TEXTS = SCRIPTS + MARKS

SETS = [
    '<refset setid="s" srclang="any" trglang="en" refid="r"><doc docid="d"><seg id="1">a &amp; b</seg></doc></refset>',
    "<TSTSET sysid=x><DOC docid=d><p><seg>a\n<seg id=2>b</p></DOC></TSTSET>",
    '<dataset><doc id="d"><ref translator="A"><seg id="1">a</seg></ref><hyp><seg>a <b>b</b></seg></hyp></doc>',
    '<mteval><refset><doc docid="d"><seg>a</seg></doc></refset><tstset><doc docid="d"><seg>a</seg></tstset></mteval>',
    '<!DOCTYPE x [<!ENTITY e "e">]><refset refid="r"><doc docid="d"><seg id="1">&e;</seg></doc></refset>',
    "<refset>" * 50 + "<seg>" * 50,
    '<doc docid="d"><seg id="1">no set</seg>',
    '<refset><doc docid="d"><seg id="1">a</seg><seg id="1">b</seg></doc></refset>',
    "<refset refid='<'><doc docid=\"'\"><seg id=>a</seg></doc",
]
"""Evaluation sets, right and wrong."""
