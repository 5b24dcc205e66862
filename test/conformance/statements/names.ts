import { configMaps, type Statement, tryCreate } from "./statement.ts";

const source = "apimachinery, pkg/util/validation/validation_test.go";
const long = (length: number) => "a".repeat(length);
const subdomain = /metadata.name: Invalid value: .*a lowercase RFC 1123 subdomain must consist of/s;
const label = /metadata.name: Invalid value: .*a lowercase RFC 1123 label must consist of/s;
const dns1035 = /metadata.name: Invalid value: .*a DNS-1035 label must consist of/s;
const tooLong = /metadata.name: Invalid value: .*must be no more than \d+ (characters|bytes)/s;

const labels = "a ab abc a1 a-1 a--1--2--b".split(" ");
const numbered = "0 01 012 1a 1-a 1--a--b--2".split(" ");
const dotted =
  "a.a ab.a abc.a a1.a a-1.a a--1--2--b.a a.1 0.a 01.a 1a.a 1-a.a 0.1 01.1 a.b.c.d.e 1.2.3.4.5 11.22.33.44.55";
const badLabels = [
  ..."A ABC aBc A1 A-1 1-A - a- -a 1- -1 _ a_ _a a_b 1_ _1 1_2".split(" "),
  ...[".", "a.", ".a", "1.", ".1", " ", "a ", " a", "a b", "1 ", " 1", "1 2"],
];
const badSubdomains =
  "a..b 1..2 A.a aB.a ab.A A1.a a1.A A.1 1A.1 0.A 1a.A A.B.C.D.E aa.bB.cc.dd.ee a@b a,b a;b a:b a?b a$b";

interface Kind {
  readonly kind: string;
  readonly path: string;
  readonly body: (name: string) => object;
}

const configMap: Kind = { kind: "ConfigMap", path: configMaps, body: (name) => ({ metadata: { name } }) };
const namespace: Kind = {
  kind: "Namespace",
  path: "/api/v1/namespaces",
  body: (name) => ({ metadata: { name } }),
};
const service: Kind = {
  kind: "Service",
  path: "/api/v1/namespaces/default/services",
  body: (name) => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } }),
};

function accepted({ kind, path, body }: Kind, names: readonly string[]): Statement[] {
  return names.map((name) => ({
    source,
    says: `${name} is a name of a ${kind}`,
    request: tryCreate(path, body(name)),
    code: 201,
    answer: { metadata: { name } },
  }));
}

function refused({ kind, path, body }: Kind, names: readonly string[], answer: RegExp): Statement[] {
  return names.map((name) => ({
    source,
    says: `${JSON.stringify(name)} is no name of a ${kind}`,
    request: tryCreate(path, body(name)),
    code: 422,
    answer,
  }));
}

const goodKeys = [
  "simple",
  "now-with-dashes",
  "1-starts-with-num",
  "1234",
  "simple/simple",
  "now-with-dashes/now-with-dashes",
  "now.with.dots/simple",
  "now-with.dashes-and.dots/simple",
  "1-num.2-num/3-num",
  "1.2.3.4/5678",
  "Uppercase_Is_OK_123",
  "example.com/Uppercase_Is_OK_123",
  "requests.storage-foo",
  long(63),
  `${long(253)}/${long(63)}`,
];
const badKeys: readonly (readonly [key: string, detail: RegExp])[] = [
  ["nospecialchars%^=@", /name part must consist of/],
  ["cantendwithadash-", /name part must consist of/],
  ["-cantstartwithadash-", /name part must consist of/],
  ["only/one/slash", /a qualified name must consist of/],
  ["Example.com/abc", /prefix part a lowercase RFC 1123 subdomain must consist of/],
  ["example_com/abc", /prefix part a lowercase RFC 1123 subdomain must consist of/],
  ["example.com/", /name part must be non-empty/],
  ["/simple", /prefix part must be non-empty/],
  [long(64), /name part must be no more than 63/],
  [`${long(254)}/abc`, /prefix part must be no more than 253/],
];
const goodValues = ["simple", "now-with-dashes", "1-starts-with-num", "1234", long(63), "", "123_-.BaR"];
const badValues = [
  ..."nospecialchars%^=@ Tama-nui-te-rā.is.Māori.sun \\backslashes\\are\\bad -starts-with-dash ends-with-dash-".split(
    " ",
  ),
  ...[".starts.with.dot", "ends.with.dot.", long(64), "bad,value", "?#$notsogood"],
];
const goodData = "a good good-good still.good this.is.also.good .so.is.this THIS_IS_GOOD so_is_this_17".split(
  " ",
);
const badData = [".", "..", "..bad", "b*d", "bad!&bad", "a/b", "a b", "", long(254)];

function metadata(says: string, fields: object, code: number, answer?: RegExp): Statement {
  const body = { metadata: { name: "m", ...fields } };
  return { source, says, request: tryCreate(configMaps, body), code, ...(answer && { answer }) };
}

function data(field: "data" | "binaryData", key: string, code: number): Statement {
  const body = { metadata: { name: "m" }, [field]: { [key]: "" } };
  const says = `${JSON.stringify(key)} is ${code === 201 ? "a" : "no"} key of ${field}`;
  const at = new RegExp(`${field}\\[`);
  return { source, says, request: tryCreate(configMaps, body), code, ...(code === 422 && { answer: at }) };
}

export const nameStatements: readonly Statement[] = [
  ...accepted(configMap, [
    ...labels.filter((name) => name !== "a"),
    ...numbered,
    ...dotted.split(" "),
    long(253),
  ]),
  ...refused(configMap, [...badLabels, ...badSubdomains.split(" ")], subdomain),
  ...refused(configMap, [long(254)], tooLong),
  ...accepted(namespace, [...labels, ...numbered, long(63)]),
  ...refused(namespace, badLabels, label),
  ...refused(namespace, ["a.b", "1.2"], /metadata.name: Invalid value: .*: must not contain dots/),
  ...refused(namespace, [long(64)], tooLong),
  ...accepted(service, [...labels, long(63)]),
  ...refused(service, [...badLabels, ...numbered, "a.b", "1.2"], dns1035),
  ...refused(service, [long(64)], tooLong),
  ...goodKeys.map((key) => metadata(`${key} is a label key`, { labels: { [key]: "v" } }, 201)),
  ...goodKeys.map((key) => metadata(`${key} is an annotation key`, { annotations: { [key]: "v" } }, 201)),
  ...badKeys.map(([key, detail]) =>
    metadata(`${key} is no label key`, { labels: { [key]: "v" } }, 422, detail),
  ),
  ...badKeys
    .map(([key, detail]) =>
      metadata(
        `${key} is no annotation key`,
        { annotations: { [key]: "v" } },
        422,
        // Upstream lowers the case of annotation keys first.
        key === "Example.com/abc" ? undefined : detail,
      ),
    )
    .filter(({ says }) => !says.startsWith("Example.com")),
  metadata("Example.com/abc is an annotation key", { annotations: { "Example.com/abc": "v" } }, 201),
  ...goodValues.map((value) =>
    metadata(`${value || "nothing"} is a label value`, { labels: { k: value } }, 201),
  ),
  ...badValues.map((value) =>
    metadata(`${value} is no label value`, { labels: { k: value } }, 422, /metadata.labels: Invalid value: /),
  ),
  ...goodData.flatMap((key) => [data("data", key, 201), data("binaryData", key, 201)]),
  ...badData.flatMap((key) => [data("data", key, 422), data("binaryData", key, 422)]),
];
