"""The confusables table: letters and digits that look like others, by `tools/confusables.py`.

Do not edit. From `confusables.txt` 17.0.0 of 2025-07-22 (Unicode Security Mechanisms, UTS #39;
https://www.unicode.org/terms_of_use.html) and the names of Latin letters, as far as `unicodedata` does not
fold them by itself. To add a letter that Unicode's list lacks, see LOOK_ALIKES_ADDED in `letter_folding`.
"""

from collections.abc import Mapping
from types import MappingProxyType

CONFUSABLES_VERSION = "17.0.0"
"""The version of Unicode that has them."""

CONFUSABLES_DAY = "2025-07-22"
"""The day on which Unicode wrote its list."""

_ROWS = """
-: 1c3 2b9 2ba 2bb 2bc 2bd 2be 2c6 2c8 2ca 2cb 2d0 2ee 7f4 7f5 7fa 115f 1160 3033 a4f8 a4f9 a4fa a4fb a4fd
    13441 13442
2: 1a7 1a8 1bb 3e8 3e9 14bf a644 a645 a6ef a75a a75b
3: 1b7 21c 21d 25c 292 417 437 498 499 4e0 4e1 969 ae9 2c9c 2c9d 2cc4 2cc5 2ccc 2ccd a76a a76b a7ab 118aa
    118ca 16f3b
4: 13ce 152f 1530 ab9e 118af 118cf
5: 1bc 118bb 118db
6: 3ec 431 13ee 2cd2 2cd3 2cdc 2cdd abbe 118d5
7: 104d2 104fa 118c6
8: 222 223 9ea a6a 1031a 1e8cb
9: 9ed a67 b68 d6d 2cca 2ccb a76e a76f 118ac 118b6 118cc 118d6
a: 23a 250 251 391 3b1 410 430 13aa 15c5 1d00 1d8f 2c65 2c6d 2c6f a4ee ab7a 102a0 16f40 1f150 1f170 1f1e6
aa: a732 a733
ae: c6 e6 4d4 4d5
ao: a734 a735
au: a736 a737
av: a738 a739 a73a a73b
ay: a73c a73d
b: 180 181 182 183 184 185 243 253 299 392 411 412 42c 432 44c 462 463 48c 48d 13cf 13f4 13fc 1472 1473 147e
    147f 1480 1481 1488 15af 15f7 1d6c 1d80 2c82 2c83 a4d0 a796 a797 a7b4 ab9f 10282 102a1 10301 1f151 1f171
    1f1e7
bl: 42b 44b
c: 187 188 23b 23c 255 421 441 4aa 4ab 1004 105a 13df 1d04 2184 2ca4 2ca5 a4da a73e a73f a792 a793 a794 a7c4
    abaf 102a2 10302 10415 1043d 1051c 118e9 118f2 1df1d 1f152 1f172 1f1e8
d: d0 f0 110 111 189 18a 18b 18c 221 256 257 500 501 13a0 13e7 146f 147a 147b 1487 15de 15ea 1d05 1d6d 1d81
    1d91 a4d2 a4d3 a7c7 a7c8 ab70 abb7 1f153 1f173 1f1e9
dz: 2a3
e: 18e 1dd 246 247 258 395 3b5 415 435 4bc 4bd 4be 4bf 13ac 1d07 1d92 2c78 2d39 a4f0 ab32 ab34 ab7c 10286
    118a6 118ae 118ce 1f154 1f174 1f1ea
f: 191 192 3dc 3dd 554 584 15b4 1d6e 1d82 1e9d a4dd a730 a798 a799 ab35 10287 102a5 10525 118a2 118c2 1f155
    1f175 1f1eb
fn: 2a9
g: 18d 193 1e4 1e5 260 261 262 29b 50c 50d 551 581 13c0 13f3 13fb 1d77 1d83 a4d6 a7a0 a7a1 a7ac ab90 1f156
    1f176 1f1ec
h: 126 127 265 266 29c 2ae 2af 397 40b 41d 43d 45b 4a2 4a3 4ba 4bb 4c7 4c8 4c9 4ca 540 570 13bb 13c2 13f2
    13fa 157c 2c67 2c68 2c8e 2c8f a4e7 a694 a695 a78d a795 a7aa ab8b ab92 102cf 1f157 1f177 1f1ed
i: 131 268 269 26a 3b9 456 552 582 13a5 1d09 1d7b 1d7c 1d96 2c93 a646 a647 a7ae ab75 118c3 1df1a 1f158 1f178
    1f1ee
j: 248 249 29d 37f 3f3 408 458 13ab 148d 1498 1499 1d0a a4d9 a7b2 ab7b 1f159 1f179 1f1ef
k: 198 199 29e 39a 3ba 41a 43a 49a 49b 49e 49f 13e6 16d5 1d0b 1d84 2c69 2c6a 2c94 2c95 a4d7 a740 a741 a742
    a743 a744 a745 a7a2 a7a3 a7b0 abb6 10518 1df03 1f15a 1f17a 1f1f0
l: 141 142 196 197 19a 1c0 234 23d 26b 26c 26d 29f 399 406 4c0 4cf 5d5 5df 5f1 627 661 673 6f1 7ca 13de 14aa
    14b6 14b7 16c1 1d0c 1d85 2c60 2c61 2c62 2c92 2cd0 2cd1 2d4f a4e1 a4f2 a748 a749 a780 a781 a78e a7ad ab37
    ab38 ab39 abae 1028a 10309 10320 1041b 10443 10526 118a3 118b2 118d2 16f16 16f28 1df04 1df11 1df13 1e8c7
    1f15b 1f17b 1f1f1
ll: 1c1 5f0
lo: 42e 44e
ls: 2aa
lz: 2ab
m: 270 39c 3bc 3fa 3fb 41c 43c 4cd 4ce 13b7 15f0 16d6 1d0d 1d86 2c98 2c99 a4df ab87 102b0 10311 1f15c 1f17c
    1f1f2
n: 14a 14b 19d 19e 220 235 272 273 274 39d 3b7 542 548 54c 572 578 57c 1d70 1d87 2c9a 2c9b a4e0 a790 a791
    a7a4 a7a5 10513 1f15d 1f17d 1f1f3
o: d8 f8 19f 275 398 39f 3a3 3b8 3bf 3c3 3ed 41e 43e 472 473 4e8 4e9 555 585 5e1 647 665 6be 6c1 6d5 6f5 6ff
    7c0 966 9e6 a66 ae6 b20 b66 be6 c66 ce6 d20 d66 e50 ed0 1010 101d 1040 10d7 10ff 12d0 13a4 13be 13eb
    17e0 1c97 1cbf 1d0f 1d11 2c7a 2c90 2c91 2c9e 2c9f 2d31 2d41 2d54 3007 a4f3 a74a a74b a74c a74d ab3d ab3e
    ab74 ab8e abbb 10292 102ab 10404 1042c 104c2 104ea 10516 114d0 118a8 118b5 118b7 118c8 118d7 118e0 1df1b
    1f15e 1f17e 1f1f4
oe: 152 153
oo: a698 a699 a74e a74f
p: de fe 1a4 1a5 1bf 1f7 3a1 3c1 3f7 3f8 420 440 13e2 146d 1476 1477 1486 1d18 1d71 1d7d 1d88 2c63 2ca2 2ca3
    2cce 2ccf a4d1 a750 a751 a752 a753 a754 a755 abb2 10295 1f15f 1f17f 1f1f5
q: 24b 2a0 51a 51b 533 536 563 566 2d55 a756 a757 a758 a759 a7af 1f160 1f180 1f1f6
r: 1a6 24c 24d 279 27a 27b 27c 27d 27e 27f 280 413 433 490 491 492 493 13a1 13b1 13d2 1587 1d26 1d72 1d73
    1d89 2c64 2c79 2c84 2c85 a4e3 a7a6 a7a7 ab46 ab47 ab48 ab68 ab71 ab81 aba2 104b4 104dc 16f35 1df08 1df15
    1df16 1f161 1f181 1f1f7
rn: 271 1d6f 2c6e 11700 118e3
s: 1bd 23f 282 405 455 54f 57f d1f 13d5 13da 1d74 1d8a 2c7e a4e2 a731 a7a8 a7a9 a7c5 a7c9 a7ca aba5 abaa
    10296 10420 10448 118a1 118c1 16f3a 1df1e 1f162 1f182 1f1f8
ss: 3b2 13f0 13f8 a7b5 a7d6 a7d7
t: 166 167 1ab 1ac 1ad 1ae 236 23e 287 288 3a4 3c4 422 442 4ac 4ad 13a2 1d1b 1d75 2c66 2ca6 2ca7 a4d4 a7b1
    ab72 10297 102b1 10315 118bc 16f0a 1df09 1df0d 1f163 1f183 1f1f9
t3: a728 a729
tf: a777
ts: 2a6
u: 1b2 244 289 28b 3c5 40f 45f 54d 57d 1200 13cc 144c 1457 1458 1467 1d1c 1d7e 1d99 a4f4 a79e a79f a7b8 a7b9
    ab4e ab52 ab9c 104ce 104f6 118b8 118d8 16f42 1f164 1f184 1f1fa
ue: 1d6b
uo: ab63
v: 245 28c 3bd 474 475 5d8 667 6f7 13d9 142f 143a 143b 1d20 2c71 2c74 2d38 a4e6 a6df a75e a75f aba9 1051d
    11706 118a0 118c0 16f08 1f165 1f185 1f1fb
w: 19c 26f 28d 428 448 460 461 47c 47d 51c 51d 531 561 13b3 13d4 1d21 2c72 2c73 2cbc 2cbd a4ea a760 a761
    ab83 aba4 114c5 1170a 1170e 1170f 118e6 118ef 1f166 1f186 1f1fc
x: 3a7 3c7 425 445 4b2 4b3 1541 157d 16b7 1d8d 2cac 2cad 2d5d a4eb a7b3 ab53 ab56 ab57 ab58 ab59 10290 102b4
    10317 10322 10527 118ec 1f167 1f187 1f1fd
y: 194 1b3 1b4 24e 24f 263 28e 28f 393 3a5 3b3 423 443 4ae 4af 4b0 4b1 10e7 13a9 13bd 1ca7 1d8c 1efe 1eff
    2ca8 2ca9 a4ec ab5a ab79 ab8d 102b2 118a4 118dc 16f43 1df06 1f168 1f188 1f1fe
z: 1b5 1b6 224 225 240 290 291 396 3b6 13c3 1d22 1d76 1d8e 2c6b 2c6c 2c7f a4dc a7c6 ab93 102f5 118a9 118c4
    118c9 118e5 1f169 1f189 1f1ff
丨: 1175
二: 30cb
亻: 30a4
併: 5002
値: 503c
儿: 3126
八: 30cf
凵: 20674
力: 30ab
卑: 2d161
卜: 30c8
口: 30ed 56d7
啓: 555f
土: 58eb
塡: 586b
墫: 58ff
壷: 21533
夕: 30bf
多: 21587
媯: 5b00
工: 30a8
帡: 5e32
徚: 22505
戶: 6238
晚: 6669
朌: 80a6
朏: 80d0
朐: 80ca
朓: 8101
朘: 8127
朣: 81a7
杮: 67ff
榝: 6a27
涅: 23d40
溈: 6f59
玥: 248fd
研: 784f
絕: 7d76
胼: 8141
蒍: 853f
蘷: 8641
訮: 8a7d
讆: 8b8f
豜: 8c63
贛: 25ad4
赿: 8d86
跥: 8dfa
躗: 8e9b
軿: 8f27
郎: 90de
鎭: 93ae
隷: 96b8
鹂: 9e43
黑: 9ed2
"""
"""What is read, and the numbers of the characters that are read so; `-` is read as nothing."""


def _read_rows(rows: str) -> Mapping[str, str]:
    found, read = {}, ""
    for word in rows.split():
        if word.endswith(":"):
            read = word[:-1].replace("-", "")
        else:
            found[chr(int(word, 16))] = read
    return MappingProxyType(found)


LOOK_ALIKES: Mapping[str, str] = _read_rows(_ROWS)
"""How a letter or digit is read; those that are missing are read as themselves."""
