import { describe } from "vitest";
import type { RawRequest } from "./quiet-server.ts";
import { configMaps, get, post, quietServer, refuses, repeat } from "./refusals.ts";

const server = quietServer();

describe("a path that is refused", () => {
  const page = "404 page not found\n";
  const resource = "the server could not find the requested resource";
  refuses(server, [
    ["a lone percent sign", get("/api/v1/namespaces/%"), 400, "400 Bad Request"],
    ["an invalid escape", get("/api/v1/namespaces/%zz/pods"), 400, "400 Bad Request"],
    ["half an escape", get("/api/v1/namespaces/default/pods/%4"), 400, "400 Bad Request"],
    [
      "an escape that is not UTF-8",
      get("/api/v1/namespaces/default/pods/%ff%41"),
      404,
      'pods "\\xffA" not found',
    ],
    ["a NUL", get("/api/v1/namespaces/default/pods/%00"), 404, 'pods "\\x00" not found'],
    ["a slash in a name", get("/api/v1/namespaces/default/pods/a%2Fb"), 404, /./],
    [
      "a name of one dot",
      get("/api/v1/namespaces/default/pods/%2e"),
      400,
      /may not be '\.'|Name parameter invalid/,
    ],
    [
      "a name of two dots",
      get("/api/v1/namespaces/default/pods/%2e%2e"),
      400,
      /may not be '\.\.'|Name parameter invalid/,
    ],
    ["a name with a percent sign", get("/api/v1/namespaces/default/pods/a%25b"), 400, /may not contain '%'/],
    ["constructor as a path", get("/constructor"), 404, page],
    ["__proto__ as a path", get("/__proto__/toString"), 404, page],
    ["__proto__ as a group", get("/apis/__proto__/v1/pods"), 404, page],
    ["constructor as a group", get("/apis/constructor"), 404, page],
    ["toString as a version", get("/apis/apps/toString/deployments"), 404, resource],
    ["toString as a core version", get("/api/toString/pods"), 404, resource],
    ["__proto__ as a resource", get("/api/v1/__proto__"), 404, resource],
    ["constructor as a resource", get("/api/v1/namespaces/default/constructor"), 404, resource],
    [
      "hasOwnProperty as a name",
      get("/api/v1/namespaces/default/pods/hasOwnProperty"),
      404,
      'pods "hasOwnProperty" not found',
    ],
    ["__proto__ as a name", get(`${configMaps}/__proto__`), 404, 'configmaps "__proto__" not found'],
    ["constructor as a subresource", get(`${configMaps}/a/constructor`), 404, resource],
    ["__proto__ as a subresource", get("/api/v1/namespaces/default/pods/a/__proto__"), 404, resource],
    ["valueOf in OpenAPI", get("/openapi/v3/apis/valueOf/__proto__"), 404, ""],
    ["a path of 100,000 segments", get(`/api/v1${repeat("/a", 100_000)}`), 404, resource],
    ["only slashes", get(repeat("/", 10_000)), 404, /./],
    [
      "a watch without a resource",
      get("/api/v1/watch"),
      500,
      'Internal Server Error: "/api/v1/watch": failed to create RequestInfo: unable to determine kind and namespace from url, /api/v1/watch\n',
    ],
    [
      "an odd method",
      { method: "BREW", target: configMaps },
      405,
      "the server does not allow this method on the requested resource",
    ],
    ["__proto__ as a method", { method: "__proto__", target: configMaps }, 405, /./],
  ]);
});

describe("a query that is refused", () => {
  const list = (query: string) => get(`${configMaps}?${query}`);
  const integer = (text: string) => `strconv.ParseInt: parsing "${text}": invalid syntax`;
  refuses(server, [
    ["a limit in words", list("limit=abc"), 400, integer("abc")],
    ["a limit of a byte that is not UTF-8", list("limit=%ff"), 400, integer("\\xff")],
    ["a limit with a fraction", list("limit=1.5"), 400, integer("1.5")],
    [
      "a limit beyond int64",
      list("limit=9223372036854775808"),
      400,
      'strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    ["a limit of __proto__", list("limit=__proto__"), 400, integer("__proto__")],
    ["seconds in words", list("timeoutSeconds=soon"), 400, integer("soon")],
    [
      "a timeout that is not a duration",
      list("timeout=soon"),
      400,
      'invalid timeout specified in the request URL - time: invalid duration "soon"',
    ],
    [
      "a token that is not base64",
      list("continue=%25%25"),
      400,
      /^invalid continue token: continue key is not valid: illegal base64/,
    ],
    [
      "a token that is not JSON",
      list("continue=eHh4"),
      400,
      /^invalid continue token: continue key is not valid: invalid character 'x'/,
    ],
    [
      "a token of another version",
      list(`continue=${token({ v: "constructor", rv: 1, start: "a" })}`),
      400,
      /server does not recognize this encoded version constructor/,
    ],
    [
      "a token without a revision",
      list(`continue=${token({ v: "meta.k8s.io/v1", start: "a" })}`),
      400,
      /incorrect encoded start resourceVersion/,
    ],
    [
      "a token with a path outside its prefix",
      list(`continue=${token({ v: "meta.k8s.io/v1", rv: 1, start: "../../secrets/" })}`),
      400,
      /continue key is not valid: \.\.\/\.\.\/secrets\//,
    ],
    [
      "a token of the wrong types",
      list(`continue=${token({ v: 1, rv: "x", start: [] })}`),
      400,
      /invalid continue token/,
    ],
    [
      "a resourceVersion in words",
      list("resourceVersion=abc&limit=1"),
      400,
      /^invalid resource version: resourceVersion: Invalid value: "abc"/,
    ],
    [
      "a match without a resourceVersion",
      list("resourceVersionMatch=Exact"),
      422,
      /resourceVersionMatch is forbidden unless resourceVersion is provided/,
    ],
    [
      "a match that does not exist",
      list("resourceVersionMatch=constructor&resourceVersion=1"),
      422,
      /Unsupported value: "constructor"/,
    ],
    [
      "a label selector that does not parse",
      list("labelSelector=a,,b"),
      400,
      /^unable to parse requirement|^found ',', expected/,
    ],
    [
      "a label selector of a bad key",
      list("labelSelector=__proto__%3Dx"),
      400,
      /unable to parse requirement: <nil>: Invalid value: "__proto__"/,
    ],
    ["a label selector of 10,000 brackets", list(`labelSelector=${repeat("(", 10_000)}`), 400, /./],
    [
      "a field that does not exist",
      list("fieldSelector=metadata.__proto__%3Dx"),
      400,
      '"metadata.__proto__" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      "a property of every JavaScript object",
      list("fieldSelector=constructor%3Dx"),
      400,
      '"constructor" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      "a field selector that does not parse",
      list("fieldSelector=a"),
      400,
      "invalid selector: 'a'; can't understand 'a'",
    ],
    [
      "a dry run that does not exist",
      { ...post('{"metadata":{"name":"a"}}'), target: `${configMaps}?dryRun=constructor` },
      422,
      /dryRun: Unsupported value: \[\]string\{"constructor"\}: supported values: "All"/,
    ],
    [
      "a field validation that does not exist",
      { ...post('{"metadata":{"name":"a"}}'), target: `${configMaps}?fieldValidation=toString` },
      422,
      /fieldValidation: Unsupported value: "toString"/,
    ],
    [
      "a field manager that is too long",
      { ...post('{"metadata":{"name":"a"}}'), target: `${configMaps}?fieldManager=${repeat("a", 129)}` },
      422,
      /fieldManager: Too long: may not be more than 128 bytes/,
    ],
    [
      "a field manager with unprintable characters",
      { ...post('{"metadata":{"name":"a"}}'), target: `${configMaps}?fieldManager=%07` },
      422,
      /invalid character U\+0007 \(at position 0\)/,
    ],
    ["a watch with an exact match", list("watch=1&resourceVersionMatch=Exact"), 422, /./],
  ]);
});

describe("headers that are refused", () => {
  const withHeaders = (headers: Readonly<Record<string, string>>): RawRequest => ({
    method: "GET",
    target: configMaps,
    headers,
  });
  const produced =
    /^406: Not Acceptable\n\nAvailable representations: application\/json, application\/yaml, /;
  refuses(server, [
    ["an unsupported format", withHeaders({ accept: "text/html" }), 406, produced],
    ["a wildcard that the router does not accept", withHeaders({ accept: "application/*" }), 406, produced],
    ["__proto__ as a format", withHeaders({ accept: "__proto__/constructor" }), 406, produced],
    [
      "an unsupported transformation",
      withHeaders({ accept: "application/json;as=constructor;g=meta.k8s.io;v=v1" }),
      406,
      /^only the following media types are accepted: /,
    ],
    [
      "a body of an unknown format",
      { ...post("x", "text/html") },
      415,
      /^the body of the request was in an unknown format - accepted media types include: application\/json, application\/yaml, /,
    ],
    ["a body of __proto__", { ...post("x", "__proto__") }, 415, /./],
    ["an unknown token", withHeaders({ authorization: "Bearer constructor" }), 401, "Unauthorized"],
    [
      "a token of one megabyte",
      withHeaders({ authorization: `Bearer ${repeat("x", 1_000_000)}` }),
      401,
      "Unauthorized",
    ],
    [
      "an Accept header of one megabyte",
      withHeaders({ accept: repeat("text/html;q=0.1,", 65_536) }),
      406,
      produced,
    ],
  ]);
});

function token(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}
