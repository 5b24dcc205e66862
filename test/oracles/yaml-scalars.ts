import fc from "fast-check";

/** Words with a meaning in YAML 1.1 or 1.2, and similar words. */
const words =
  "y Y yes Yes YES yEs n N no No NO on On ON oN off Off OFF true True TRUE tRue false False FALSE " +
  "null Null NULL nULL ~ .nan .NaN .NAN .Nan .inf .Inf .INF +.inf -.Inf -.INF <<  = . .. - -- + _ __proto__ constructor";

const digits = (alphabet: string) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 6 });
const sign = fc.constantFrom("", "", "+", "-");
const concatenated = (...parts: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((texts) => texts.join(""));
const decimal = digits("0123456789_");
const exponent = fc.constantFrom("", "e3", "E+3", "e-3", "e", "e+_1", "e308", "e309");

/** Numbers in every notation of YAML 1.1 and 1.2, and similar texts. */
const numberText = fc.oneof(
  concatenated(sign, decimal),
  concatenated(sign, fc.constantFrom("0x", "0X"), digits("0123456789abcdefABCDEF_g")),
  concatenated(sign, fc.constantFrom("0o", "0O", "0"), digits("01234567_8")),
  concatenated(sign, fc.constantFrom("0b", "0B"), digits("01_2")),
  concatenated(sign, decimal, fc.constant("."), fc.oneof(fc.constant(""), decimal), exponent),
  concatenated(sign, fc.constant("."), decimal, exponent),
  concatenated(sign, decimal, exponent),
  concatenated(sign, digits("123456789"), fc.constantFrom(":30", ":59:59", ":30.5", ":60", ":5_0")),
  concatenated(
    sign,
    fc.constantFrom("", "0x", "0b", "0", "0o"),
    fc.constantFrom(
      "9223372036854775807",
      "9223372036854775808",
      "18446744073709551615",
      "18446744073709551616",
    ),
  ),
  concatenated(
    sign,
    fc.constantFrom(
      ...["0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff", "0x10000000000000000"],
      ...[
        "01777777777777777777777",
        "0777777777777777777777",
        "9007199254740993",
        "1e22",
        "123456789.123456789",
      ],
    ),
  ),
);

/** Dates and times, most of them timestamps in YAML 1.1. */
const timeText = concatenated(
  fc.constantFrom("2020-01-01", "2020-1-2", "2020-02-30", "0001-01-01", "20-01-01", "2020-13-01"),
  fc.constantFrom("", "", "T10:00:00", "t1:02:03.5", " 10:00:00", "T24:00:00", "  1:02:03.123456789"),
  fc.constantFrom("", "Z", "z", "+01:00", "-5", " Z", " +1", "+0100"),
);

const plainCharacters = fc.constantFrom(
  ..."abcXYZ01 -:#?,[]{}&*!|>%@`'\"\\/=<>~.",
  "é",
  "\u{1f600}",
  "\u00a0",
);

/** The text of plain scalars. Some of it is invalid without quotes. */
export const plainText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words.split(" ")) },
  { weight: 3, arbitrary: numberText },
  { weight: 1, arbitrary: timeText },
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(..."abc-_.:/0"), minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: plainCharacters, maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom("a", "b c", "", "1", "#x", "- y", "k: v"), { maxLength: 4 })
      .map((lines) => lines.join("\n")),
  },
);

/** The lines of block scalars, with odd indents and empty lines. */
export const blockLines: fc.Arbitrary<readonly string[]> = fc.array(
  fc.oneof(
    fc.constantFrom(
      "",
      "",
      "a",
      "b c",
      " indented",
      "\ttab",
      "trailing ",
      "# no comment",
      "k: v",
      "- x",
      "---",
      "  ",
      "é",
    ),
    fc.string({ unit: plainCharacters, maxLength: 6 }),
  ),
  { maxLength: 5 },
);

/** Escapes of double-quoted scalars, some of them invalid. */
const escapes =
  "\\n \\t \\\" \\\\ \\/ \\0 \\a \\b \\e \\f \\v \\r \\N \\_ \\L \\P \\x41 \\u00e9 \\U0001F600 \\ud83d \\q \\' \\x4 \\  \\\t";

/** The text between single or double quotes. */
export const quotedText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom("a", "b", " ", "  ", "#", ": ", "- ", "''", "1", "é", "\u{1f600}"),
      },
      { weight: 2, arbitrary: fc.constantFrom(...escapes.split(" ")) },
      { weight: 1, arbitrary: fc.constantFrom("\n", "\n\n", "\\\n", " \n ", "\t", "'", '"', "\\ ", "---") },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(""));
