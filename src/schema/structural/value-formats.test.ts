import { describe, expect, test } from "vitest";
import { hasFormat } from "./value-formats.ts";

interface FormatTexts {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const uuidWith = (version: string, variant: string) =>
  `0F7ebd9e-1f2a-${version}b0c-${variant}a1b-0123456789ab`;

/** What upstream's strfmt, built with Go 1.23, takes and refuses. */
const formats: Readonly<Record<string, FormatTexts>> = {
  bsonobjectid: {
    valid: ["507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"],
    invalid: ["", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901z"],
  },
  uri: {
    valid: [
      ...["*", "/", "/a b", "//host/x", "/%41", "x:", "urn:a:b", "x:%zz", "http://x?%zz", "http://u:p@h:/"],
      ...["http://x/ü", "http://ü/", 'http://<">', "http://%c3%bc/", "http://[::1]:80/", "http:[/[x"],
      ...["http://[fe80::1%25e%20n]/", "http:\\\\x", "http://x%25y/", "http://u@v@h/", "http:a b"],
    ],
    invalid: [
      ...["", "a", "a/b", ":x", "1a:b", " http://x", "http://x\n", "/\u007f", "/%zz", "/%4", "/#%zz"],
      ...[
        "http://a b",
        "http://x:abc",
        "http://[::1",
        "http://[::1]x",
        "http://%41/",
        "http://x\\y",
        "http://a|b",
      ],
      ...["http://u%zz@h/", "http://u v@h/", "http://[fe80::1%25%2f]/", "http://[fe80::1%25%zz]/"],
      ...["http://x/%zz", "http://[%41::1]/", "a_b:c", "http://[/[x]"],
    ],
  },
  email: {
    valid: [
      ...[
        "a@b",
        "a.b@c.d",
        "ü@x.y",
        "a@-b",
        "a@_",
        "a+b@c",
        "a@ b",
        " a@b\t",
        '"a b"@c',
        '"a\\"b"@c',
        "a@b (x(y)) (z)",
      ],
      ...[
        "<a@b>",
        "Bob <a@b>",
        "Bob B. <a@b> (x)",
        '"Bob, B" <a@b>',
        "B (x) C <a@b>",
        "x: a@b;",
        "x:Bob <a@b>; (y)",
      ],
      ...["a@[1.2.3.4]", "a@[::1]", "=?utf-8?q?B=C3=B6?= <a@b>", "a@b (=?x?b?Y?=)", "B =?x?q?a?= <a@b>"],
    ],
    invalid: [
      ...[
        "",
        "a",
        "a@",
        "@b",
        "a@@b",
        ".a@b",
        "a.@b",
        "a..b@c",
        "a@b.",
        "a@b..c",
        '""@b',
        '"a@b',
        '"\n"@b',
        "a\n@b",
      ],
      ...[
        "a b@c",
        "Bob",
        "Bob <a@b",
        "Bob a@b",
        "Bob <a b>",
        "<>",
        "a@b (x",
        "(x) a@b",
        "x:;",
        "x: a@b, c@d;",
        "x: a@b",
      ],
      ...[
        "a@b, c@d",
        "x: y: a@b;;",
        "a@[1.2.3]",
        "a@[01.2.3.4]",
        "a@[IPv6:::1]",
        "a@[1.2.3.4",
        "B, C <a@b>",
        "B] <a@b>",
      ],
      ...["=?x?q?a?= <a@b>", "a@b (=?x?b?YQ==?=)", "a@b\n"],
    ],
  },
  hostname: {
    valid: [
      ...["a", "1", "$", "a-b", "a-", "a1", "example.com", "A.COM", "ü.de", "a--b.com", "1.ab", "😀.com"],
      ...["x".repeat(63), `${"x".repeat(63)}.com`, `${"ab.".repeat(84)}com`],
    ],
    invalid: [
      ...[
        "",
        "-a",
        "a_b",
        "a--b",
        "a-b-c",
        "a.b",
        "a.b1",
        "a.1",
        "1.2.3.4",
        "example.com.",
        ".com",
        "a..bc",
        "a-.com",
      ],
      ...[
        "-a.com",
        "a b",
        "a.c-m",
        "٣.com",
        "x".repeat(64),
        `${"x".repeat(64)}.com`,
        `${"é".repeat(32)}.com`,
      ],
      `${"ab.".repeat(84)}comm`,
    ],
  },
  ipv4: {
    valid: ["1.2.3.4", "01.002.0003.4", "::ffff:1.2.3.4", "::01.2.3.4"],
    invalid: ["", "1.2.3", "256.1.1.1", "::1", "1.2.3.4 ", "1.2.3.4.5"],
  },
  ipv6: {
    valid: ["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "0001::"],
    invalid: ["", "1.2.3.4", "fe80::1%eth0", "g::", "1::2::3", "00001::", "::01.2.3.4", ":::"],
  },
  cidr: {
    valid: ["10.0.0.1/8", "010.0.0.1/08", "10.0.0.0/00032", "::1/128", "00001::/64"],
    invalid: ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/", "10.0.0.0/8/8"],
  },
  mac: {
    valid: [
      ...["aa:BB:cc:dd:ee:ff", "aa-bb-cc-dd-ee-ff", "aabb.ccdd.eeff", "aa:bb:cc:dd:ee:ff:00:11"],
      ...["aabb.ccdd.eeff.0011", Array(20).fill("0a").join("-"), Array(10).fill("0a0b").join(".")],
    ],
    invalid: [
      ...["aa:bb-cc:dd:ee:ff", "aabbccddeeff", "aa:bb:cc:dd:ee", "a:b:c:d:e:f", "aa:bb:cc:dd:ee:ff:00"],
      ...["aabb.ccdd", "aabb:ccdd:eeff", Array(20).fill("0a").join(":").concat(":0a"), "aa:bb:cc:dd:ee:fg"],
    ],
  },
  uuid: {
    valid: [uuidWith("0", "0"), uuidWith("4", "c").replaceAll("-", ""), "0f7ebd9e-1f2a4b0c-9a1b0123456789ab"],
    invalid: ["", `{${uuidWith("4", "a")}}`, "0f7e-bd9e1f2a4b0c9a1b0123456789ab", `${uuidWith("4", "a")}0`],
  },
  uuid3: { valid: [uuidWith("3", "0")], invalid: [uuidWith("4", "8")] },
  uuid4: {
    valid: [uuidWith("4", "8"), uuidWith("4", "B")],
    invalid: [uuidWith("4", "c"), uuidWith("5", "8")],
  },
  uuid5: {
    valid: [uuidWith("5", "9"), uuidWith("5", "a")],
    invalid: [uuidWith("5", "7"), uuidWith("4", "8")],
  },
  isbn: {
    valid: ["0321751043", "978-0321751041", "080442957X"],
    invalid: ["", "080442957x", "0321751044", "9780321751042"],
  },
  isbn10: {
    valid: ["0-321-75104-3", "0 321  75104--3\n", "080442957X"],
    invalid: ["080442957x", "0321\u000b751043", "0321\u00a0751043", "9780321751041", "X321751043"],
  },
  isbn13: {
    valid: ["\t978-0321751041", "9780321751041"],
    invalid: ["0321751043", "978032175104X", "9780321751042"],
  },
  creditcard: {
    valid: [
      ...[
        "4111111111111111",
        "card 4111-1111/1111 1111",
        "4222222222222",
        "5500000000000004",
        "340000000000009",
      ],
      ...["6011000000000004", "30569309025904", "3530111333300000"],
    ],
    invalid: [
      "",
      "4111111111111112",
      "2221000000000009",
      "55000000000004",
      "41111111111111110",
      "٤111111111111111",
    ],
  },
  ssn: {
    valid: ["111-11-1111", "111 11 1111", "111-11 1111"],
    invalid: ["111111111", "111-111111", "111-11-11111", "111--11-1111"],
  },
  hexcolor: { valid: ["#fff", "FFF", "#00aaFF"], invalid: ["", "#ffff", "#ggg", "##fff"] },
  rgbcolor: {
    valid: ["rgb(0,99,255)", "rgb(\t1 ,\n2 , 3 )"],
    invalid: [
      "rgb(01,2,3)",
      "rgb(00,2,3)",
      "rgb(256,1,1)",
      "RGB(1,2,3)",
      "rgb (1,2,3)",
      "rgb(1,2)",
      "rgb(\u00a01,2,3)",
    ],
  },
  byte: {
    valid: ["aGk=", "aA==", "aGkh", "a+/b"],
    invalid: ["", "aGk", "a===", "====", "aGk-", "aGk=\n", "aA==aA==", "aGk=aGk="],
  },
  password: { valid: ["", "\n"], invalid: [] },
  date: {
    valid: ["2020-02-29", "0000-01-01", "2000-02-29"],
    invalid: [
      "2019-02-29",
      "1900-02-29",
      "2020-1-1",
      "2020-13-01",
      "2020-01-32",
      "2020-01-00",
      "2020-01-01T00:00:00Z",
    ],
  },
  "date-time": {
    valid: [
      ...[
        "2020-01-01T00:00:00Z",
        "2020-01-01t23:59:59z",
        "2020-01-01T00:00:00.5+99:99",
        "2020-01-01T00:00:00,5Z",
      ],
      ...[
        "2020-01-01T00:00:00123Z",
        "2020-01-01T00:00:00😀1Z",
        "2020-01-01T00:00:00\u20281Z",
        "2020-01-01T00:00:00ZTx",
      ],
    ],
    invalid: [
      ...[
        "",
        "2020-01-01",
        "2020-01-01T00:00:00",
        "2020-01-01T24:00:00Z",
        "2020-01-01T00:60:00Z",
        "2020-01-01T00:00:60Z",
      ],
      ...["2020-01-01 00:00:00Z", "2020-02-30T00:00:00Z", "2020-01-01T00:00:00.Z", "2020-01-01T00:00:00\n1Z"],
      ...["2020-01-01T00:00:00+0100", "2020-01-01T1:00:00Z", "2020-01-01T00:00:00..1Z"],
    ],
  },
  duration: {
    valid: [
      ...[
        "0",
        "-1h30m",
        "1.s",
        ".5s",
        "1\u03bcs",
        "1 day",
        "2 weeks",
        "1h 30m",
        "about 3 hours",
        "5s9",
        "1 \n wk",
        "1D",
      ],
      ...[
        "9999999999999999h",
        "1 µS",
        "9223372036854775807 w",
        "00000000000000000000001d",
        "5 seconds",
        "1x 2d",
        "1 dayss",
      ],
      "0.00000000000000000000000000000000001s",
    ],
    invalid: [
      ...["", "5", "soon", "s", "5 x", "1 hrs", "1 wks", "1ss", "1\u000bd", "5_s", "99999999999999999999h"],
      ...["9223372036854775808 w", "1d 99999999999999999999x"],
    ],
  },
};

describe.each(Object.entries(formats))("the format %s", (format, { valid, invalid }) => {
  test.each(valid)("takes %j", (text) => {
    expect(hasFormat(text, format)).toBe(true);
  });

  test.each(invalid)("refuses %j", (text) => {
    expect(hasFormat(text, format)).toBe(false);
  });
});
