import { configMaps, get, literally, query, type Statement, send, tryCreate } from "./statement.ts";

const optionsSource = "apimachinery, pkg/apis/meta/internalversion/validation/validation_test.go";
const notOlder = "resourceVersionMatch=NotOlderThan";
const requires = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";

/** Queries of lists that are refused, and the causes. */
const badLists: readonly (readonly [query: string, ...causes: readonly string[]])[] = [
  [
    "resourceVersion=0&resourceVersionMatch=Exact",
    'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  ],
  [
    "resourceVersion=0&resourceVersionMatch=foo",
    'resourceVersionMatch: Unsupported value: "foo": supported values: "Exact", "NotOlderThan", ""',
  ],
  ["sendInitialEvents=true", "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"],
  ["sendInitialEvents=false", "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"],
  [
    "resourceVersionMatch=NotOlderThan",
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
  ],
  [
    "resourceVersionMatch=Exact",
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
  ],
  [
    "resourceVersion=1&resourceVersionMatch=Exact&continue=x",
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided",
  ],
  [
    `watch=1&${notOlder}`,
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
  ],
  ["watch=1&sendInitialEvents=true", `resourceVersionMatch: Forbidden: ${requires}`],
  ["watch=1&sendInitialEvents=false", `resourceVersionMatch: Forbidden: ${requires}`],
  [
    "watch=1&sendInitialEvents=true&resourceVersionMatch=Exact",
    `resourceVersionMatch: Forbidden: ${requires}`,
    'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"',
  ],
  [
    "watch=1&sendInitialEvents=true&resourceVersionMatch=incorrect",
    `resourceVersionMatch: Forbidden: ${requires}`,
    'resourceVersionMatch: Unsupported value: "incorrect": supported values: "NotOlderThan"',
  ],
  [
    `watch=1&sendInitialEvents=true&${notOlder}&continue=123`,
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided",
  ],
];

const goodLists = [
  "",
  "resourceVersion=1&resourceVersionMatch=NotOlderThan",
  "resourceVersion=0&resourceVersionMatch=NotOlderThan",
  "resourceVersion=0",
  "resourceVersion=0&limit=1",
  "limit=-1",
  "limit=0",
  "limit=%2B2",
  "timeoutSeconds=5",
  "timeout=5s",
  "unknown=parameter",
  "allowWatchBookmarks=true",
  "watch=false",
  "limit=1&limit=abc",
];

const integer = (text: string) => `strconv.ParseInt: parsing "${text}": invalid syntax`;
const undecodable: readonly (readonly [query: string, message: string])[] = [
  ...["limit", "timeoutSeconds"].flatMap((name) =>
    ["abc", "1.5", "", "0x1", "1_0", " 1", "1e3"].map(
      (text) => [`${name}=${encodeURIComponent(text)}`, integer(text)] as const,
    ),
  ),
  ["limit=9223372036854775808", 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
  ["limit=-9223372036854775809", 'strconv.ParseInt: parsing "-9223372036854775809": value out of range'],
  ["limit=%ff", integer("\\xff")],
  ["timeout=abc", 'invalid timeout specified in the request URL - time: invalid duration "abc"'],
  ["timeout=5", 'invalid timeout specified in the request URL - time: missing unit in duration "5"'],
  ["timeout=5y", 'invalid timeout specified in the request URL - time: unknown unit "y" in duration "5y"'],
  ["continue=%21", "invalid continue token: continue key is not valid: illegal base64 data at input byte 0"],
  [
    "resourceVersion=5&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0",
    "specifying resource version is not allowed when using continue",
  ],
];

const optionStatements: readonly Statement[] = [
  ...badLists.map(([parameters, ...causes]) => ({
    source: optionsSource,
    says: `a list with ${parameters} is refused`,
    request: get(`${configMaps}?${parameters}`),
    code: 422,
    answer: literally(
      causes.length === 1 ? `is invalid: ${causes[0]}` : `is invalid: [${causes.join(", ")}]`,
    ),
  })),
  ...goodLists.map((parameters) => ({
    source: optionsSource,
    says: `a list with ${parameters || "no options"} is served`,
    request: get(`${configMaps}?${parameters}`),
    code: 200,
    answer: { kind: "ConfigMapList" },
  })),
  ...undecodable.map(([parameters, message]) => ({
    source: "API reference, requests, section 3",
    says: `a list with ${parameters} cannot be decoded`,
    request: get(`${configMaps}?${parameters}`),
    code: 400,
    answer: message,
  })),
];

const writeSource = "apimachinery, pkg/apis/meta/v1/validation/validation_test.go";
const create = (parameters: string) =>
  send("POST", `${configMaps}?dryRun=All&${parameters}`, { metadata: { name: "m" } });
const patch = (parameters: string, type: string) =>
  send("PATCH", `${configMaps}/a?dryRun=All&${parameters}`, { apiVersion: "v1", kind: "ConfigMap" }, type);
const merge = "application/merge-patch+json";
const apply = "application/apply-patch+yaml";

const writes: readonly (readonly [
  says: string,
  request: Statement["request"],
  code: number,
  message?: RegExp,
])[] = [
  ["dryRun=All twice is a dry run", create("dryRun=All"), 201],
  [
    "dryRun=False is refused",
    create("dryRun=False"),
    422,
    /dryRun: Unsupported value: .*"All", ?"False".*supported values: "All"/,
  ],
  ["dryRun without a value is refused", create("dryRun="), 422, /dryRun: Unsupported value/],
  ["dryRun=all is refused", create("dryRun=all"), 422, /dryRun: Unsupported value/],
  ["a field manager may be Chinese", create("fieldManager=你好"), 201],
  ["a field manager may be a picture", create("fieldManager=🍔"), 201],
  ["a field manager may have 128 bytes", create(`fieldManager=${"f".repeat(128)}`), 201],
  [
    "a field manager has at most 128 bytes",
    create(`fieldManager=${"f".repeat(129)}`),
    422,
    /fieldManager: Too long: may not be more than 128 bytes/,
  ],
  [
    "a field manager has no line breaks",
    create("fieldManager=field%0Amanager"),
    422,
    /fieldManager: Invalid value: "field\\nmanager": invalid character U\+000A \(at position 5\)/,
  ],
  [
    "a field validation is Ignore, Warn or Strict",
    create("fieldValidation=strict"),
    422,
    /fieldValidation: Unsupported value: "strict": supported values: "Ignore", "Warn", "Strict"|fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"/,
  ],
  [
    "an apply needs a manager",
    patch("", apply),
    422,
    /fieldManager: Required value: is required for apply patch/,
  ],
  ["an apply may be forced", patch("fieldManager=kubectl&force=true", apply), 200],
  ["an apply need not be forced", patch("fieldManager=kubectl", apply), 200],
  ["a merge patch needs no manager", patch("", merge), 200],
  ["a merge patch may have a manager", patch("fieldManager=patcher", merge), 200],
  [
    "a merge patch is never forced",
    patch("force=true", merge),
    422,
    /force: Forbidden: may not be specified for non-apply patch/,
  ],
  [
    "a merge patch is not even force=false",
    patch("fieldManager=kubectl&force=false", merge),
    422,
    /force: Forbidden: may not be specified for non-apply patch/,
  ],
];

const typeSource = "apiserver, pkg/endpoints/handlers/negotiation/negotiate_test.go";
const json = "application/json";
const yaml = "application/yaml";
const protobuf = "application/vnd.kubernetes.protobuf";
const table = `${json};as=Table;g=meta.k8s.io;v=v1`;

/** What is accepted, and how the answer begins; undefined if nothing acceptable is served. */
const accepted: readonly (readonly [accept: string, begins: string | undefined])[] = [
  ["*/*", '{"kind":'],
  [json, '{"kind":'],
  [`${json}; pretty=1`, '{\n  "kind":'],
  [`unrecognized/stuff,${json}; pretty=1`, '{\n  "kind":'],
  [`unrecognized/stuff, ${json}`, '{"kind":'],
  [yaml, "apiVersion: v1\n"],
  [`${yaml},${json}`, "apiVersion: v1\n"],
  [`${json};q=0.5,${yaml}`, "apiVersion: v1\n"],
  [`${json};q=0.5,${yaml};q=0.4`, '{"kind":'],
  [`*/*;q=0.5,${yaml};q=0.6`, "apiVersion: v1\n"],
  [protobuf, "k8s\0"],
  [`${protobuf},*/*`, "k8s\0"],
  [table, '{"kind":"Table"'],
  [`${json};as=Table;g=meta.k8s.io;v=v1beta1`, '{"kind":"Table","apiVersion":"meta.k8s.io/v1beta1"'],
  [`${json};as=Table;g=meta.k8s.io;v=v2,${json}`, '{"kind":"Namespace"'],
  [`${json};as=Other;g=meta.k8s.io;v=v1,${json}`, '{"kind":"Namespace"'],
  [`${json};as=Table;g=apps;v=v1,${json}`, '{"kind":"Namespace"'],
  [`${table},${json}`, '{"kind":"Table"'],
  [`${json},${table}`, '{"kind":"Namespace"'],
  [`${protobuf};as=Table;g=meta.k8s.io;v=v1,${json}`, '{"kind":"Namespace"'],
  [`${yaml};as=Table;g=meta.k8s.io;v=v1`, "apiVersion: meta.k8s.io/v1\n"],
  [`${json};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, '{"kind":"PartialObjectMetadata"'],
  [
    `${json};as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1`,
    '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1"',
  ],
  [`${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, "k8s\0"],
  [`${json};charset=utf-8`, '{"kind":"Namespace"'],
  [`${json};export=1`, '{"kind":"Namespace"'],
  ["application", undefined],
  ["text/html", undefined],
  ["application/cbor", undefined],
  [`${json};as=Table;g=meta.k8s.io;v=v2`, undefined],
];

export const requestStatements: readonly Statement[] = [
  ...optionStatements,
  ...writes.map(([says, request, code, answer]) => ({
    source: writeSource,
    says,
    request,
    code,
    ...(answer && { answer }),
  })),
  ...accepted.map(([accept, begins]) => ({
    source: typeSource,
    says: `Accept: ${accept} is answered with ${begins === undefined ? 406 : JSON.stringify(begins)}`,
    request: get("/api/v1/namespaces/default", { accept }),
    code: begins === undefined ? 406 : 200,
    ...(begins !== undefined && { answer: new RegExp(`^${literally(begins).source}`) }),
  })),
  ...["curl/8.0", "Wget/1.2", "Mozilla/5.0 (X11)"].map((agent) => ({
    source: typeSource,
    says: `${agent} gets indented JSON`,
    request: get("/api/v1/namespaces/default", { "user-agent": agent }),
    code: 200,
    answer: /^\{\n {2}"kind"/,
  })),
  ...[
    ["1", true],
    ["true", true],
    ["T", true],
    ["0", false],
    ["false", false],
    ["yes", false],
  ].map(([value, isPretty]) => ({
    source: "API reference, requests, section 8",
    says: `pretty=${value} ${isPretty ? "indents" : "does not indent"}`,
    request: {
      ...query("/api/v1/namespaces/default", { pretty: String(value) }),
      headers: { "user-agent": isPretty ? "test" : "curl/8.0" },
    },
    code: 200,
    answer: isPretty ? /^\{\n/ : /^\{"/,
  })),
  {
    source: "API reference, requests, section 9",
    says: "a strict create names every unknown field",
    request: send("POST", `${configMaps}?dryRun=All&fieldValidation=Strict`, {
      metadata: { name: "m", a: 1 },
      b: 2,
    }),
    code: 400,
    answer:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.a", unknown field "b"',
  },
  {
    source: "API reference, requests, section 9",
    says: "names of fields are matched with their case",
    request: tryCreate(configMaps, { metadata: { name: "m" }, Data: { a: "b" } }),
    code: 201,
    answer: /^(?!.*"data").*$/s,
  },
];
