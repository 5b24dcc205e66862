import { expect, test } from "vitest";
import { FlagError } from "./flag-error.ts";
import { type Flag, parseFlags } from "./flag-set.ts";

const flags: readonly Flag[] = [
  { name: "port", type: "int" },
  { name: "bind-address", type: "ip" },
  { name: "http", type: "bool" },
  { name: "load", type: "stringArray" },
  { name: "wait", type: "duration" },
  { name: "controllers", type: "stringSlice" },
  { name: "help", type: "bool", shorthand: "h" },
  { name: "v", type: "level", shorthand: "v" },
  { name: "goaway-chance", type: "float64" },
  { name: "vmodule", type: "pattern" },
  { name: "labels", type: "stringToString" },
  { name: "cert", type: "namedCertKey" },
  { name: "range", type: "portRange" },
  { name: "size", type: "quantity" },
];

test.each([
  ["a value may follow", ["--port", "1"], { port: ["1"] }],
  ["a value may follow =", ["--port=1"], { port: ["1"] }],
  ["a value may be empty", ["--load="], { load: [""] }],
  ["a value may look like a flag", ["--load", "--http"], { load: ["--http"] }],
  ["a value may contain =", ["--load=a=b"], { load: ["a=b"] }],
  ["a bool does not take the next argument", ["--http", "false"], { http: ["true"] }],
  ["a bool takes a value with =", ["--http=F"], { http: ["F"] }],
  ["flags repeat", ["--load", "a", "--load=b"], { load: ["a", "b"] }],
  ["_ replaces -", ["--bind_address=::1"], { "bind-address": ["::1"] }],
  ["a letter takes the next argument", ["-v", "2"], { v: ["2"] }],
  ["a letter takes the rest of the argument", ["-v2"], { v: ["2"] }],
  ["a letter takes the text after =", ["-v=2"], { v: ["2"] }],
  ["letters can be combined", ["-hv", "2"], { help: ["true"], v: ["2"] }],
  [
    "integers can have base prefixes",
    ["--port=0x10", "--port=0o17", "--port=1_000", "--port=-1"],
    {
      port: ["0x10", "0o17", "1_000", "-1"],
    },
  ],
])("%s", (_title, args, expected) => {
  const { values, operands, rest } = parseFlags(flags, args);
  expect(Object.fromEntries(values)).toEqual(expected);
  expect(operands).toEqual(args.includes("false") ? ["false"] : []);
  expect(rest).toBeUndefined();
});

test("operands may be anywhere before --, and no flags are parsed after it", () => {
  const { values, operands, rest } = parseFlags(flags, ["a", "--port=1", "-", "b", "--", "--port=x", "--"]);
  expect(Object.fromEntries(values)).toEqual({ port: ["1"] });
  expect(operands).toEqual(["a", "-", "b"]);
  expect(rest).toEqual(["--port=x", "--"]);
});

const value = (text: string, flag: string, problem: string) =>
  `invalid argument "${text}" for "${flag}" flag: ${problem}`;

test.each([
  [["--prot=1"], "unknown flag: --prot; did you mean --port?"],
  [["--frobnicate"], "unknown flag: --frobnicate"],
  [["-x"], "unknown shorthand flag: 'x' in -x"],
  [["-hx"], "unknown shorthand flag: 'x' in -x"],
  [["--port"], "flag needs an argument: --port"],
  [["-v"], "flag needs an argument: 'v' in -v"],
  [["--=1"], "bad flag syntax: --=1"],
  [["---port"], "bad flag syntax: ---port"],
  [["--port=x"], value("x", "--port", "must be an integer")],
  [["--port="], value("", "--port", "must be an integer")],
  [["--port=08"], value("08", "--port", "must be an integer")],
  [["--port=9223372036854775808"], value("9223372036854775808", "--port", "must be an integer of 64 bits")],
  [["--http=maybe"], value("maybe", "--http", "must be true or false")],
  [["--goaway-chance=a"], value("a", "--goaway-chance", "must be a number")],
  [["-v=-1"], value("-1", "-v, --v", "must be an integer of at least 0")],
  [["-v=2147483648"], value("2147483648", "-v, --v", "must be an integer of at most 2147483647")],
  [["--wait=5"], value("5", "--wait", 'time: missing unit in duration "5"')],
  [["--wait=soon"], value("soon", "--wait", 'time: invalid duration "soon"')],
  [["--wait=1x"], value("1x", "--wait", 'time: unknown unit "x" in duration "1x"')],
  [["--bind-address=here"], value("here", "--bind-address", 'failed to parse IP: "here"')],
  [
    ['--controllers=a"b'],
    value('a\\"b', "--controllers", 'parse error on line 1, column 2: bare " in non-quoted field'),
  ],
  [["--labels=a"], value("a", "--labels", "a must be formatted as key=value")],
  [["--vmodule=a"], value("a", "--vmodule", '"a" does not have the pattern=N format')],
  [["--cert=a"], value("a", "--cert", "expected comma separated certificate and key file paths")],
  [["--range=2-1"], value("2-1", "--range", "end port cannot be less than start port: 2-1")],
  [["--range=x"], value("x", "--range", "unable to parse port range: x")],
])("%j is refused", (args, message) => {
  expect(() => parseFlags(flags, args)).toThrow(new FlagError(message));
});

test.each([
  "--size=1Gi",
  "--size=0",
  "--range=30000-32767",
  "--range=30000+10",
  "--cert=a.crt,a.key:example.test,*.test",
  "--labels=a=b,c=d",
  "--vmodule=a=1,b/*=2",
  "--wait=1h2m3.5s",
  "--wait=-0.5ms",
  "--goaway-chance=1e-3",
  "--controllers=",
])("%s is accepted", (arg) => {
  expect(parseFlags(flags, [arg]).values.size).toBe(1);
});
