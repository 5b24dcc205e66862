import type { Statement } from "../statement.ts";
import { kindStatements, letters } from "./kind-cases.ts";

const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const tests = "kubernetes, pkg/apis/resource/validation/validation_resourceclaim_test.go";
const maximum = 32;
const longestExpression = 10 * 1024;
const longestParameters = 10 * 1024;

interface Devices {
  readonly requests?: readonly object[];
  readonly constraints?: readonly object[];
  readonly config?: readonly object[];
}

function exactly(changes: object, name = "foo"): object {
  return { name, exactly: { deviceClassName: "foo", ...changes } };
}

function firstAvailable(...requests: readonly object[]): object {
  return { name: "foo", firstAvailable: requests };
}

function sub(name: string, changes: object = {}): object {
  return { name, deviceClassName: "foo", ...changes };
}

function selecting(expression: string): object {
  return exactly({ selectors: [{ cel: { expression } }] });
}

function configured(opaque: object, requests: readonly string[] = []): object {
  return { requests, opaque: { driver: "dra.example.com", ...opaque } };
}

function times<T>(count: number, made: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, i) => made(i));
}

const parameters = { kind: "foo", apiVersion: "dra.example.com/v1" };
const matching = { matchAttribute: "dra.example.com/driverVersion" };
const alternatives = firstAvailable(sub("foo"), sub("bar"));
const devices = "spec.devices";
const request = `${devices}.requests[0]`;

/** As long as the longest parameters, whose JSON is `{"str":"..."}`. */
function text(excess: number): object {
  return { str: letters(longestParameters - '{"str":""}'.length + excess) };
}

/** An expression that is longer than the longest one by `excess`. */
function equation(excess: number): string {
  const [start, end] = ['device.driver == "', '"'];
  return start + letters(longestExpression - start.length - end.length + excess) + end;
}

const numbers = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
const costly = ["a", "b", "c", "d", "e", "f", "g"].reduceRight(
  (body, name) => `${numbers}.all(${name}, ${body})`,
  "int('1'.find('[0-9]*')) < 100",
);

export const resourceClaimStatements: readonly Statement[] = kindStatements(
  {
    subject: "a ResourceClaim",
    source: `${tests}, TestValidateClaim`,
    target: claims,
    since: "1.34",
    body: (changes: Devices) => ({ spec: { devices: { requests: [exactly({})], ...changes } } }),
  },
  [
    ["one request", {}],
    ["no request", { requests: [] }],
    [
      "a device class of an invalid name",
      { requests: [exactly({ deviceClassName: "!@#" })] },
      `${request}.exactly.deviceClassName`,
    ],
    [
      "no device class",
      { requests: [exactly({ deviceClassName: "" })] },
      `${request}.exactly.deviceClassName`,
    ],
    ["as many requests as allowed", { requests: times(maximum, (i) => exactly({}, `r${i}`)) }],
    [
      "too many requests",
      { requests: times(maximum + 1, (i) => exactly({}, `r${i}`)) },
      `${devices}.requests`,
    ],
    ["as many constraints as allowed", { constraints: times(maximum, () => matching) }],
    ["too many constraints", { constraints: times(maximum + 1, () => matching) }, `${devices}.constraints`],
    ["as many configurations as allowed", { config: times(maximum, () => configured({ parameters })) }],
    [
      "too many configurations",
      { config: times(maximum + 1, () => configured({ parameters })) },
      `${devices}.config`,
    ],
    [
      "a constraint for an invalid name",
      { constraints: [{ ...matching, requests: ["!@#"] }] },
      `${devices}.constraints[0].requests[0]`,
    ],
    [
      "a constraint for an unknown request",
      { constraints: [{ ...matching, requests: ["baz"] }] },
      `${devices}.constraints[0].requests[0]`,
    ],
    ["a constraint for a request", { constraints: [{ ...matching, requests: ["foo"] }] }],
    [
      "an attribute without domain",
      { constraints: [{ matchAttribute: "driverVersion" }] },
      `${devices}.constraints[0].matchAttribute.domain`,
    ],
    [
      "an empty attribute",
      { constraints: [{ matchAttribute: "" }] },
      `${devices}.constraints[0].matchAttribute`,
    ],
    [
      "a constraint without attribute",
      { constraints: [{ requests: ["foo"] }] },
      `${devices}.constraints[0].matchAttribute`,
    ],
    [
      "a configuration of an unknown request",
      { config: [configured({ parameters }, ["baz"])] },
      `${devices}.config[0].requests[0]`,
    ],
    ["a configuration of a request", { config: [configured({ parameters }, ["foo"])] }],
    ["a count of zero", { requests: [exactly({ allocationMode: "ExactCount", count: 0 })] }],
    [
      "a negative count",
      { requests: [exactly({ allocationMode: "ExactCount", count: -1 })] },
      `${request}.exactly.count`,
    ],
    ["all devices", { requests: [exactly({ allocationMode: "All" })] }],
    [
      "a count of all devices",
      { requests: [exactly({ allocationMode: "All", count: 2 })] },
      `${request}.exactly.count`,
    ],
    [
      "an unknown mode of allocation",
      { requests: [exactly({ allocationMode: "other" })] },
      `${request}.exactly.allocationMode`,
    ],
    ["two requests of one name", { requests: [exactly({}), exactly({})] }, `${devices}.requests[1].name`],
    [
      "a configuration without parameters",
      { config: [configured({})] },
      `${devices}.config[0].opaque.parameters`,
    ],
    [
      "a configuration whose parameters are a text",
      { config: [configured({ parameters: "hello-world" })] },
      `${devices}.config[0].opaque.parameters`,
    ],
    [
      "a configuration whose parameters are null",
      { config: [configured({ parameters: null })] },
      `${devices}.config[0].opaque.parameters`,
    ],
    ["the longest parameters", { config: [configured({ parameters: text(0) })] }],
    [
      "parameters that are too long",
      { config: [configured({ parameters: text(1) })] },
      `${devices}.config[0].opaque.parameters`,
    ],
    [
      "a configuration without driver",
      { config: [configured({ driver: "", parameters })] },
      `${devices}.config[0].opaque.driver`,
    ],
    ["an empty configuration", { config: [{}] }, `${devices}.config[0].opaque`],
    ["a selector of a driver", { requests: [selecting('device.driver == "dra.example.com"')] }],
    [
      "an empty selector",
      { requests: [exactly({ selectors: [{}] })] },
      `${request}.exactly.selectors[0].cel`,
    ],
    [
      "a selector that does not compile",
      { requests: [selecting("device.attributes[true].someBoolean")] },
      `${request}.exactly.selectors[0].cel.expression`,
    ],
    [
      "a selector that is no condition",
      { requests: [selecting("device.driver")] },
      `${request}.exactly.selectors[0].cel.expression`,
    ],
    ["the longest selector", { requests: [selecting(equation(0))] }],
    [
      "a selector that is too long",
      { requests: [selecting(equation(1))] },
      `${request}.exactly.selectors[0].cel.expression`,
    ],
    [
      "a selector that costs too much",
      { requests: [selecting(costly)] },
      `${request}.exactly.selectors[0].cel.expression`,
    ],
    ["alternatives", { requests: [alternatives] }],
    ["alternatives and an exact request", { requests: [{ ...alternatives, ...exactly({}) }] }, request],
    ["a request of nothing", { requests: [{ name: "foo" }] }, request],
    [
      "an alternative of an invalid name",
      { requests: [firstAvailable(sub("!@#"))] },
      `${request}.firstAvailable[0].name`,
    ],
    [
      "an alternative without device class",
      { requests: [firstAvailable(sub("foo", { deviceClassName: "" }))] },
      `${request}.firstAvailable[0].deviceClassName`,
    ],
    [
      "two alternatives of one name",
      { requests: [firstAvailable(sub("foo"), sub("foo"))] },
      `${request}.firstAvailable[1].name`,
    ],
    ["as many alternatives as allowed", { requests: [firstAvailable(...times(8, (i) => sub(`s${i}`)))] }],
    [
      "too many alternatives",
      { requests: [firstAvailable(...times(9, (i) => sub(`s${i}`)))] },
      `${request}.firstAvailable`,
    ],
    [
      "a configuration of an alternative",
      { requests: [alternatives], config: [configured({ parameters }, ["foo/bar"])] },
    ],
    [
      "a configuration of all alternatives",
      { requests: [alternatives], config: [configured({ parameters }, ["foo"])] },
    ],
    [
      "a configuration of an unknown alternative",
      { requests: [alternatives], config: [configured({ parameters }, ["foo/baz"])] },
      `${devices}.config[0].requests[0]`,
    ],
    [
      "a constraint for an alternative",
      { requests: [alternatives], constraints: [{ ...matching, requests: ["foo/bar"] }] },
    ],
    [
      "a constraint for all alternatives",
      { requests: [alternatives], constraints: [{ ...matching, requests: ["foo"] }] },
    ],
    [
      "a constraint for an unknown alternative",
      { requests: [alternatives], constraints: [{ ...matching, requests: ["foo/baz"] }] },
      `${devices}.constraints[0].requests[0]`,
    ],
  ],
);
