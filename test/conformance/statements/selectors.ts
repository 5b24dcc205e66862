import { configMaps, query, type Statement } from "./statement.ts";

/** The labels of the config maps that the statements select from, by name. */
export const labeled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  a: { x: "y" },
  b: { x: "y", z: "w" },
  c: { x: "z", z: "a" },
  d: { notin: "in" },
  e: { y: "z" },
  f: { x: "2" },
  g: { x: "0" },
  h: { foo: "bar", baz: "blah" },
  i: { "example.com/x": "y", empty: "" },
};

const labelSource = "apimachinery, pkg/labels/selector_test.go";
const fieldSource = "apimachinery, pkg/fields/selector_test.go";

const selected: readonly (readonly [selector: string, names: string])[] = [
  ["", "abcdefghi"],
  ["x=y", "ab"],
  ["x==y", "ab"],
  ["x=y,z=w", "b"],
  ["x!=y,z!=w", "cdefghi"],
  ["notin=in", "d"],
  ["x", "abcfg"],
  ["!x", "dehi"],
  ["! x", "dehi"],
  ["x>1", "f"],
  ["x<1", "g"],
  ["x>0,x<3", "f"],
  ["x>2", ""],
  ["x=z", "c"],
  ["foo=bar", "h"],
  ["foo=bar,baz=blah", "h"],
  ["foo=blah", ""],
  ["x in (y)", "ab"],
  ["x in (y,z)", "abc"],
  ["x in (y,y)", "ab"],
  ["x in ()", ""],
  ["empty in ()", "i"],
  ["empty=", "i"],
  ["empty= ", "i"],
  ["empty!=", "abcdefgh"],
  ["empty", "i"],
  ["x= ,z= ", ""],
  ["x notin (y)", "cdefghi"],
  ["x notin ( )", "abcdefghi"],
  ["empty notin ()", "abcdefgh"],
  ["x notin (, y)", "cdefghi"],
  ["x  notin\t\t(y,z)", "defghi"],
  ["x notin\n (y)", "cdefghi"],
  ["\rx", "abcfg"],
  ["x ", "abcfg"],
  ["x,z", "bc"],
  ["x,!z", "afg"],
  ["x,y in (a)", ""],
  ["y in (z),!x", "e"],
  ["example.com/x", "i"],
  ["example.com/x=y", "i"],
  ["example.com/x in (y,z)", "i"],
  ["!example.com/x", "abcdefgh"],
  ["notin in (in)", "d"],
  ["notin notin (in)", "abcefghi"],
  ["notin", "d"],
  ["in", ""],
  ["in notin (a)", "abcdefghi"],
  ["x=y,x=y", "ab"],
  ["x=y,x=z", ""],
  ["x!=y,x", "cfg"],
];

const requirement = "unable to parse requirement: ";
const operators = "expected: in, notin, =, ==, !=, gt, lt";

const unparsable: readonly (readonly [selector: string, message: string | RegExp])[] = [
  [
    "x=a||y=b",
    /^unable to parse requirement: values\[0\]\[x\]: Invalid value: "a\|\|y": a valid label must be/,
  ],
  ["x==a==b", "found '==', expected: ',' or 'end of string'"],
  ["!x=a", "found '=', expected: ',' or 'end of string'"],
  [
    "x<a",
    `${requirement}values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  ["x,,y", "found ',', expected: identifier after ','"],
  [",x,y", "found ',', expected: !, identifier, or 'end of string'"],
  ["x nott in (y)", `${requirement}found 'nott', ${operators}`],
  ["a in (xyz),", "found '', expected: identifier after ','"],
  ["a in (xyz)b notin ()", "found 'b', expected: ',' or 'end of string'"],
  ["a in (xyz abc)", `${requirement}found 'abc', expected: ',' or ')'`],
  ["a notin(", `${requirement}found '', expected: ',', ')' or identifier`],
  ["x in (y,,)", `${requirement}found ')', expected: ',', or identifier`],
  ["a (", `${requirement}found '(', ${operators}`],
  ["(", "found '(', expected: !, identifier, or 'end of string'"],
  [")", "found ')', expected: !, identifier, or 'end of string'"],
  ["a in b", `${requirement}found 'b' expected: '('`],
  ["!", `${requirement}found '', expected: identifier`],
  ["!=a", "found '!=', expected: !, identifier, or 'end of string'"],
  ["=a", "found '=', expected: !, identifier, or 'end of string'"],
  [
    "a/b/c=d",
    /^unable to parse requirement: <nil>: Invalid value: "a\/b\/c": a qualified name must consist of/,
  ],
  ["-a", /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of/],
  ["a=-b", /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label must be/],
  [`a=${"b".repeat(64)}`, /Invalid value: "b{64}": must be no more than 63 (characters|bytes)/],
  [`${"b".repeat(64)}=a`, /Invalid value: "b{64}": name part must be no more than 63 (characters|bytes)/],
];

const fieldSelected: readonly (readonly [selector: string, names: string])[] = [
  ["", "abcdefghi"],
  ["metadata.name=a", "a"],
  ["metadata.name==a", "a"],
  ["metadata.name!=a", "bcdefghi"],
  ["metadata.name=a,", "a"],
  [",metadata.name=a", "a"],
  ["metadata.name=a,metadata.name=a", "a"],
  ["metadata.name=a,metadata.name=b", ""],
  ["metadata.name=", ""],
  ["metadata.name=a,metadata.namespace=default", "a"],
  ["metadata.namespace=other", ""],
  ["metadata.namespace!=other", "abcdefghi"],
  ["metadata.name=\\,", ""],
  ["metadata.name=\\\\", ""],
  ["metadata.name=\\=", ""],
  ["metadata.name=함", ""],
];

const fieldUnparsable: readonly (readonly [selector: string, message: string | RegExp])[] = [
  ["a", "invalid selector: 'a'; can't understand 'a'"],
  ["x=a,b", "invalid selector: 'x=a,b'; can't understand 'b'"],
  ["x in (a)", "invalid selector: 'x in (a)'; can't understand 'x in (a)'"],
  ["x in (a,b,c)", /^invalid selector: 'x in \(a,b,c\)'; can't understand '/],
  ["x=a||y=b", "invalid field selector: unescaped character in value: 61"],
  ["x==a==b", "invalid field selector: unescaped character in value: 61"],
  ["k=\\", "invalid field selector: invalid escape sequence: \\"],
  ["k=\\a", "invalid field selector: invalid escape sequence: \\a"],
  ["k=\\\\\\", "invalid field selector: invalid escape sequence: \\"],
  ["k=v", '"k" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  [
    "metadata.uid=v",
    '"metadata.uid" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
];

/** Fields that a kind can be selected by, and the error for others. */
const fieldsOfKinds: readonly (readonly [collection: string, fields: string, error: string])[] = [
  [
    "/api/v1/pods",
    "spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork status.phase status.podIP status.podIPs status.nominatedNodeName spec.host",
    "field label not supported: ",
  ],
  ["/api/v1/nodes", "spec.unschedulable metadata.name", "field label not supported: "],
  ["/api/v1/replicationcontrollers", "status.replicas", "field label not supported: "],
  [
    "/api/v1/events",
    "involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason reportingComponent source type",
    "field label not supported: ",
  ],
  [
    "/apis/events.k8s.io/v1/events",
    "reason regarding.kind regarding.namespace regarding.name regarding.uid regarding.apiVersion regarding.resourceVersion regarding.fieldPath reportingController type",
    "field label not supported: ",
  ],
  ["/api/v1/namespaces", "status.phase", "field label not supported: "],
  ["/api/v1/secrets", "type", "field label not supported: "],
  ["/api/v1/services", "spec.clusterIP spec.type", "field label not supported: "],
  [
    "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "spec.signerName",
    "field label not supported: ",
  ],
];

function filters(
  source: string,
  parameter: string,
  cases: readonly (readonly [selector: string, names: string])[],
): Statement[] {
  return cases.map(([selector, names]) => ({
    source,
    says: `${parameter}=${JSON.stringify(selector)} selects ${names || "nothing"}`,
    request: query(configMaps, { [parameter]: selector }),
    code: 200,
    answer: { items: [...names].map((name) => ({ metadata: { name } })) },
  }));
}

function refusals(
  source: string,
  parameter: string,
  cases: readonly (readonly [selector: string, message: string | RegExp])[],
): Statement[] {
  return cases.flatMap(([selector, message]) =>
    ["list", "deletecollection"].map((verb) => ({
      source,
      says: `${verb} with ${parameter}=${JSON.stringify(selector)} is refused`,
      request: {
        ...query(configMaps, { [parameter]: selector }),
        method: verb === "list" ? "GET" : "DELETE",
      },
      code: 400,
      answer: message,
    })),
  );
}

export const selectorStatements: readonly Statement[] = [
  ...filters(labelSource, "labelSelector", selected),
  ...refusals(labelSource, "labelSelector", unparsable),
  ...filters(fieldSource, "fieldSelector", fieldSelected),
  ...refusals(fieldSource, "fieldSelector", fieldUnparsable),
  ...fieldsOfKinds.flatMap(([collection, fields, error]) => [
    ...fields.split(" ").map((field) => ({
      source: "API reference, requests, section 6",
      says: `${collection} can be selected by ${field}`,
      request: query(collection, { fieldSelector: `${field}=no-such-value` }),
      code: 200,
      answer: { items: [] },
    })),
    {
      source: "API reference, requests, section 6",
      says: `${collection} cannot be selected by other fields`,
      request: query(collection, { fieldSelector: "spec.other=x" }),
      code: 400,
      answer: `${error}spec.other`,
    },
  ]),
  {
    source: "API reference, requests, section 6",
    says: "jobs have their own text for fields that they do not have",
    request: query("/apis/batch/v1/jobs", { fieldSelector: "spec.other=x" }),
    code: 400,
    answer: 'field label "spec.other" not supported for Job',
  },
];
