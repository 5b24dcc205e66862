import { describe } from "vitest";
import { configMaps, post, protobuf, quietServer, refuses, repeat } from "./refusals.ts";

const server = quietServer();
const unrecognized = "the object provided is unrecognized (must be of type ConfigMap): ";
const noKind = `${unrecognized}couldn't get version/kind; json parse error: `;
const cannotBe = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("a JSON body that is refused", () => {
  refuses(server, [
    ["nothing", post(""), 400, `${noKind}unexpected end of JSON input (<empty>)`],
    ["white space", post(" \n"), 400, `${noKind}unexpected end of JSON input (200a)`],
    ["an open brace", post("{"), 400, `${noKind}unexpected end of JSON input ({)`],
    [
      "a missing value",
      post('{"a":}'),
      400,
      /^the object .*invalid character '\}' looking for beginning of value/,
    ],
    [
      "a trailing comma",
      post('{"a":1,}'),
      400,
      /invalid character '\}' looking for beginning of object key string/,
    ],
    [
      "text after the object",
      post('{"kind":"ConfigMap"} x'),
      400,
      /invalid character 'x' after top-level value/,
    ],
    [
      "single quotes",
      post("{'a':1}"),
      400,
      /invalid character '\\'' looking for beginning of object key string/,
    ],
    ["NaN", post('{"a":NaN}'), 400, /invalid character 'N' looking for beginning of value/],
    [
      "a control character in a string",
      post('{"a":"\u0001"}'),
      400,
      /invalid character '\\x01' in string literal/,
    ],
    [
      "an escape that does not exist",
      post('{"a":"\\x"}'),
      400,
      /invalid character 'x' in string escape code/,
    ],
    [
      "a byte order mark",
      post('\ufeff{"kind":"ConfigMap"}'),
      400,
      /invalid character 'ï' looking for beginning of value/,
    ],
    ["an array", post("[]"), 400, /cannot unmarshal array into Go value/],
    ["a string", post('"x"'), 400, /cannot unmarshal string into Go value/],
    ["a number", post("17"), 400, /cannot unmarshal number into Go value/],
    [
      "text instead of an object",
      post('{"metadata":"x"}'),
      400,
      /^ConfigMap in version "v1" cannot be handled .*cannot unmarshal string into Go struct field ConfigMap\.metadata/,
    ],
    [
      "a number instead of text",
      post('{"metadata":{"name":5}}'),
      400,
      `${cannotBe}json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string`,
    ],
    [
      "an object instead of text",
      post('{"metadata":{"name":"a"},"data":{"a":{}}}'),
      400,
      /cannot unmarshal object into Go struct field ConfigMap\.data of type string/,
    ],
    [
      "a number instead of a kind",
      post('{"kind":5}'),
      400,
      /cannot unmarshal number into Go struct field \.kind of type string/,
    ],
    [
      "another kind",
      post('{"kind":"Pod","apiVersion":"v1"}'),
      400,
      'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
    ],
    [
      "an unknown kind",
      post('{"kind":"constructor","apiVersion":"v1"}'),
      400,
      'constructor in version "v1" cannot be handled as a ConfigMap: no kind "constructor" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      "an unknown group",
      post('{"kind":"x","apiVersion":"__proto__/toString"}'),
      400,
      /no kind "x" is registered for version "__proto__\/toString"/,
    ],
    [
      "a version with too many slashes",
      post('{"kind":"x","apiVersion":"a/b/c"}'),
      400,
      /unexpected GroupVersion string: a\/b\/c/,
    ],
    [
      "bytes that are not base64",
      post('{"metadata":{"name":"a"},"binaryData":{"a":"%"}}'),
      400,
      /illegal base64 data at input byte 0/,
    ],
    [
      "an invalid time",
      post('{"metadata":{"name":"a","creationTimestamp":"x"}}'),
      400,
      /parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"/,
    ],
    ["10,001 levels", post(`${repeat('{"a":', 10_001)}1${repeat("}", 10_001)}`), 400, /exceeded max depth/],
    ["a million open brackets", post(repeat("[", 1_000_000)), 400, /exceeded max depth/],
    ["a million open objects", post(repeat('{"a":', 500_000)), 400, /exceeded max depth/],
    ["a million closing brackets", post(`{"a":${repeat("]", 1_000_000)}`), 400, /invalid character '\]'/],
    [
      "an integer beyond int32",
      {
        ...post('{"metadata":{"name":"a"},"spec":{"replicas":3000000000}}'),
        target: "/apis/apps/v1/namespaces/default/deployments",
      },
      400,
      /cannot unmarshal number 3000000000 into Go struct field DeploymentSpec\.spec\.replicas of type int32/,
    ],
    [
      "a fraction instead of an integer",
      {
        ...post('{"metadata":{"name":"a"},"spec":{"replicas":1.5}}'),
        target: "/apis/apps/v1/namespaces/default/deployments",
      },
      400,
      /cannot unmarshal number 1\.5 into Go struct field DeploymentSpec\.spec\.replicas of type int32/,
    ],
    [
      "a number beyond float64",
      {
        ...post('{"metadata":{"name":"a"},"spec":{"replicas":1e999}}'),
        target: "/apis/apps/v1/namespaces/default/deployments",
      },
      400,
      /1e999/,
    ],
    [
      "unknown fields in strict validation",
      {
        ...post('{"metadata":{"name":"a"},"__proto__":{"x":1},"constructor":1}'),
        target: `${configMaps}?fieldValidation=Strict`,
      },
      400,
      `${cannotBe}strict decoding error: unknown field "__proto__", unknown field "constructor"`,
    ],
    [
      "a duplicate key in strict validation",
      {
        ...post('{"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}'),
        target: `${configMaps}?fieldValidation=Strict`,
      },
      400,
      `${cannotBe}strict decoding error: duplicate field "data.a"`,
    ],
  ]);
});

describe("a YAML body that is refused", () => {
  const yaml = (text: string | Uint8Array) => post(text, "application/yaml");
  const aliases = Array.from(
    { length: 30 },
    (_, at) =>
      `${at === 0 ? "l0: &l0 [x,x,x,x,x,x,x,x,x]" : `l${at}: &l${at} [${repeat(`*l${at - 1},`, 9).slice(0, -1)}]`}`,
  );
  refuses(server, [
    ["nothing, which is an empty object", yaml(""), 422, /metadata\.name: Required value/],
    ["an open bracket", yaml("a: [1, 2"), 400, /yaml: line \d+: did not find expected ',' or '\]'/],
    ["a tab", yaml("a:\n\tb: 1\n"), 400, /found character that cannot start any token/],
    ["inconsistent indentation", yaml("a:\n  b: 1\n c: 2\n"), 400, /did not find expected key/],
    ["an alias without an anchor", yaml("a: *b\n"), 400, /unknown anchor 'b' referenced/],
    ["an alias of itself", yaml("a: &a [*a]\n"), 400, /anchor 'a' value contains itself/],
    ["aliases of aliases", yaml(`${aliases.join("\n")}\n`), 400, /document contains excessive aliasing/],
    ["an escape that does not exist", yaml('a: "\\q"\n'), 400, /found unknown escape character/],
    ["control characters", yaml("a: \u0001\n"), 400, /control characters are not allowed/],
    ["bytes that are not UTF-8", yaml(latin("a: \xff\xfe\n")), 400, /yaml: /],
    ["a list", yaml("- a\n- b\n"), 400, /cannot unmarshal array into Go value/],
    ["a scalar", yaml("just text\n"), 400, /cannot unmarshal string into Go value/],
    ["a key that is a list", yaml("? [a, b]\n: 1\n"), 400, /yaml|unsupported map key|invalid/i],
    ["a foreign tag", yaml('!!js/function "process.exit()"\n'), 400, /./],
    ["100,000 open brackets", yaml(repeat("[", 100_000)), 400, /exceeded max depth|yaml: /],
    ["100,000 levels of indentation", yaml(repeat("- ", 100_000)), 400, /exceeded max depth|yaml: /],
    ["a kind of the wrong type", yaml("kind: [Pod]\n"), 400, /cannot unmarshal array into Go struct field/],
    [
      "a duplicate key in strict validation",
      {
        ...yaml("metadata: {name: a}\ndata:\n  a: '1'\n  a: '2'\n"),
        target: `${configMaps}?fieldValidation=Strict`,
      },
      400,
      /strict decoding error: yaml: unmarshal errors:\n\s+line 4: key "a" already set in map/,
    ],
  ]);
});

describe("a protobuf body that is refused", () => {
  const binary = (...bytes: readonly number[]) => post(Uint8Array.from(bytes), protobuf);
  const magic = [0x6b, 0x38, 0x73, 0x00];
  const inside = (...raw: readonly number[]) => binary(...magic, 0x12, raw.length, ...raw);
  refuses(server, [
    ["nothing", binary(), 400, /\(<empty>\)$/],
    [
      "JSON",
      post('{"kind":"ConfigMap"}', protobuf),
      400,
      /does not appear to be a protobuf message|unrecognized/,
    ],
    ["half of the magic", binary(0x6b, 0x38), 400, /unrecognized/],
    ["the magic and a truncated field", binary(...magic, 0x0a, 0x05, 0x01), 400, /unexpected EOF/],
    ["a length beyond the end", inside(0x0a, 0x7f), 400, /unexpected EOF/],
    [
      "a negative length",
      inside(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
      400,
      /negative length|unexpected EOF|overflow/,
    ],
    [
      "a number without end",
      inside(0x0a, ...Array.from({ length: 20 }, () => 0xff)),
      400,
      /integer overflow|negative length/,
    ],
    ["the wrong wire type", inside(0x08, 0x01), 400, /wrong wireType = 0 for field/],
    ["a wire type that does not exist", inside(0x0f), 400, /illegal (wireType|tag)|wireType/],
    ["field number zero", inside(0x02, 0x00), 400, /illegal tag 0/],
    ["groups that do not end", inside(...Array.from({ length: 100 }, () => 0x1b)), 400, /EOF|group|wire/],
    [
      "text that is not UTF-8",
      post(Uint8Array.from([...magic, 0x12, 0x06, 0x0a, 0x04, 0x0a, 0x02, 0xff, 0xfe]), protobuf),
      422,
      /metadata\.name: Invalid value/,
    ],
  ]);
});
