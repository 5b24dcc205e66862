import { describe, expect, test } from "vitest";
import { fieldCauses, formatFieldError } from "../../apimachinery/errors/field.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { collectErrors } from "../../apimachinery/validation/findings.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { ClaimExpressions } from "./claim-expressions.ts";
import { readConfiguration } from "./configuration-text.ts";
import { addConfigurationErrors } from "./configuration-validation.ts";

/** The findings in a configuration that a release reads. */
function findings(configuration: object, release: Release = "1.34"): readonly string[] {
  const apiVersion = `apiserver.config.k8s.io/${release === "1.29" ? "v1alpha1" : "v1beta1"}`;
  const text = JSON.stringify({ apiVersion, kind: "AuthenticationConfiguration", ...configuration });
  const gates = featureGates(release);
  const rules = {
    gates,
    disallowedIssuers: ["https://sa.test"],
    expressions: new ClaimExpressions(release),
  };
  const errors = collectErrors((found) =>
    addConfigurationErrors(found, readConfiguration(text, sinceOf(release)), rules),
  );
  return fieldCauses(errors, gates.since, noGoTypes).map(formatFieldError);
}

const issuer = { url: "https://a.test", audiences: ["x"] };
const username = { claim: "sub", prefix: "" };

/** An authenticator that is valid but for these parts. */
const jwt = (parts: object, mappings: object = {}, issuerParts: object = {}) => ({
  jwt: [{ issuer: { ...issuer, ...issuerParts }, claimMappings: { username, ...mappings }, ...parts }],
});

test("a configuration may have no issuers, and up to 64", () => {
  expect(findings({})).toEqual([]);
  const many = (count: number) => ({
    jwt: Array.from({ length: count }, (_, at) => ({
      issuer: { ...issuer, url: `https://${at}.test` },
      claimMappings: { username },
    })),
  });
  expect(findings(many(64))).toEqual([]);
  expect(findings(many(65))).toEqual(["jwt: Too many: 65: must have at most 64 items"]);
  expect(findings(many(2), "1.29")).toEqual(["jwt: Too many: 2: must have at most 1 items"]);
  expect(findings({}, "1.29")).toEqual(["jwt: Required value: at least one jwt is required"]);
});

describe("an issuer", () => {
  const url = "jwt[0].issuer.url";
  test.each<[string, object, readonly string[]]>([
    ["has a URL", { url: "" }, [`${url}: Required value`]],
    ["has a scheme", { url: "a.test" }, [`${url}: Invalid value: "a.test": URL scheme must be https`]],
    [
      "is on https, without user, query and fragment",
      { url: "http://u:p@a.test?q#f" },
      [
        `${url}: Invalid value: "http://u:p@a.test?q#f": URL scheme must be https`,
        `${url}: Invalid value: "http://u:p@a.test?q#f": URL must not contain a username or password`,
        `${url}: Invalid value: "http://u:p@a.test?q#f": URL must not contain a query`,
        `${url}: Invalid value: "http://u:p@a.test?q#f": URL must not contain a fragment`,
      ],
    ],
    [
      "has a URL that Go can parse",
      { url: "https://a.test:b" },
      [`${url}: Invalid value: "https://a.test:b": parse "https://a.test:b": invalid port ":b" after host`],
    ],
    [
      "is not that of service accounts",
      { url: "https://sa.test" },
      [
        `${url}: Invalid value: "https://sa.test": URL must not overlap with disallowed issuers: [https://sa.test]`,
      ],
    ],
    [
      "has another address for its discovery document",
      { discoveryURL: "https://a.test/" },
      [
        'jwt[0].issuer.discoveryURL: Invalid value: "https://a.test/": discoveryURL must be different from URL',
      ],
    ],
    [
      "has audiences",
      { audiences: [] },
      ["jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required"],
    ],
    [
      "has audiences that differ",
      { audiences: ["a", "", "a"], audienceMatchPolicy: "MatchAny" },
      ["jwt[0].issuer.audiences[1]: Required value", 'jwt[0].issuer.audiences[2]: Duplicate value: "a"'],
    ],
    [
      "needs one of several audiences",
      { audiences: ["a", "b"] },
      [
        'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
      ],
    ],
    [
      "knows one policy",
      { audienceMatchPolicy: "All" },
      [
        'jwt[0].issuer.audienceMatchPolicy: Invalid value: "All": audienceMatchPolicy must be empty or MatchAny for single audience',
      ],
    ],
    [
      "has authorities in PEM, which no message shows",
      { certificateAuthority: "x" },
      [
        'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
      ],
    ],
    [
      "has one of two egress selectors",
      { egressSelectorType: "etcd" },
      [
        'jwt[0].issuer.egressSelectorType: Invalid value: "etcd": egress selector must be either controlplane or cluster',
      ],
    ],
  ])("%s", (_title, parts, expected) => {
    expect(findings(jwt({}, {}, parts))).toEqual(expected);
  });

  test("is configured once", () => {
    const [one] = jwt({}, {}, { discoveryURL: "https://d.test" }).jwt;
    expect(findings({ jwt: [one, one] })).toEqual([
      'jwt[1].issuer.url: Duplicate value: "https://a.test"',
      'jwt[1].issuer.discoveryURL: Duplicate value: "https://d.test"',
    ]);
  });
});

const rules = "jwt[0].claimValidationRules";
const mappings = "jwt[0].claimMappings";
const either = "claim and expression can't both be set";
const undeclared = (name: string) =>
  `compilation failed: ERROR: <input>:1:1: undeclared reference to '${name}' (in container '')\n | ${name}\n | ^`;

test.each<[string, object, readonly string[]]>([
  [
    "a rule is a claim or an expression",
    jwt({ claimValidationRules: [{ claim: "a", expression: "true" }, {}] }),
    [
      `${rules}[0]: Invalid value: "a": ${either}`,
      `${rules}[1]: Required value: claim or expression is required`,
    ],
  ],
  [
    "each has its own companion",
    jwt({
      claimValidationRules: [
        { claim: "a", message: "m" },
        { expression: "true", requiredValue: "v" },
      ],
    }),
    [
      `${rules}[0].message: Invalid value: "m": may not be specified when claim is set`,
      `${rules}[1].requiredValue: Invalid value: "v": may not be specified when expression is set`,
    ],
  ],
  [
    "rules differ",
    jwt({
      claimValidationRules: [{ claim: "a" }, { claim: "a" }, { expression: "true" }, { expression: "true" }],
    }),
    [`${rules}[1].claim: Duplicate value: "a"`, `${rules}[3].expression: Duplicate value: "true"`],
  ],
  [
    "a rule is a bool",
    jwt({ claimValidationRules: [{ expression: "claims.a" }] }),
    [`${rules}[0].expression: Invalid value: "claims.a": must evaluate to bool`],
  ],
  [
    "a rule compiles, and knows no user",
    jwt({ claimValidationRules: [{ expression: "user" }] }),
    [`${rules}[0].expression: Invalid value: "user": ${undeclared("user")}`],
  ],
  [
    "a username is necessary",
    jwt({}, { username: {} }),
    [`${mappings}.username: Required value: claim or expression is required`],
  ],
  [
    "a username is a claim or an expression",
    jwt({}, { username: { claim: "a", expression: "'a'" } }),
    [`${mappings}.username: Invalid value: "": ${either}`],
  ],
  [
    "a claim needs a prefix, an expression has none",
    jwt({}, { username: { claim: "a" }, groups: { expression: "'a'", prefix: "p" } }),
    [
      `${mappings}.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing`,
      `${mappings}.groups.prefix: Invalid value: "p": may not be specified when expression is set`,
    ],
  ],
  [
    "a uid is a claim or an expression",
    jwt({}, { uid: { claim: "a", expression: "'a'" } }),
    [`${mappings}.uid: Invalid value: "": ${either}`],
  ],
  [
    "a mapping compiles",
    jwt({}, { uid: { expression: "claim" } }),
    [`${mappings}.uid.expression: Invalid value: "claim": ${undeclared("claim")}`],
  ],
  [
    "extra keys have a domain, in lower case, which is not that of Kubernetes",
    jwt(
      {},
      {
        extra: ["a", "", "a.test/B", "k8s.io/a", "x.kubernetes.io/a", "ak8s.io/a"].map((key) => ({
          key,
          valueExpression: "'v'",
        })),
      },
    ),
    [
      `${mappings}.extra[0].key: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")`,
      `${mappings}.extra[1].key: Required value`,
      `${mappings}.extra[2].key: Invalid value: "a.test/B": must be lowercase`,
      `${mappings}.extra[3].key: Invalid value: "k8s.io/a": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use`,
      `${mappings}.extra[4].key: Invalid value: "x.kubernetes.io/a": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use`,
    ],
  ],
  [
    "extra keys differ and have values",
    jwt({}, { extra: [{ key: "a.test/a" }, { key: "a.test/a", valueExpression: "'v'" }] }),
    [
      `${mappings}.extra[0].valueExpression: Required value`,
      `${mappings}.extra[1].key: Duplicate value: "a.test/a"`,
    ],
  ],
  [
    "an address as username must be verified",
    jwt({}, { username: { expression: "claims.email" } }),
    [
      `${mappings}.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression`,
    ],
  ],
  [
    "an address may be verified in a rule",
    jwt(
      { claimValidationRules: [{ expression: "claims.?email_verified.orValue(true) == true" }] },
      { username: { expression: "[claims].map(c, claims.email)[0]" } },
    ),
    [],
  ],
  [
    "rules of users are expressions of the user that differ",
    jwt({
      userValidationRules: [
        { expression: "!user.username.startsWith('system:')" },
        {},
        { expression: "true" },
        { expression: "true" },
        { expression: "user.name == ''" },
        { expression: "size(user.groups)" },
      ],
    }),
    [
      "jwt[0].userValidationRules[1].expression: Required value",
      'jwt[0].userValidationRules[3].expression: Duplicate value: "true"',
      `jwt[0].userValidationRules[4].expression: Invalid value: "user.name == ''": compilation failed: ERROR: <input>:1:5: undefined field 'name'\n | user.name == ''\n | ....^`,
      'jwt[0].userValidationRules[5].expression: Invalid value: "size(user.groups)": must evaluate to bool',
    ],
  ],
  [
    "conditions are those of anonymous requests",
    { anonymous: { enabled: false, conditions: [{ path: "/healthz" }] } },
    [
      'anonymous.conditions: Invalid value: [{"path":"/healthz"}]: enabled should be set to true when conditions are defined',
    ],
  ],
])("%s", (_title, configuration, expected) => {
  expect(findings(configuration)).toEqual(expected);
});

test("releases before 1.34 name the field in the message", () => {
  const configuration = jwt(
    { claimValidationRules: [{ claim: "a", message: "m" }], userValidationRules: [{}] },
    { extra: [{ key: "a.test/B" }] },
    { url: "" },
  );
  expect(findings(configuration, "1.32")).toEqual([
    "jwt[0].issuer.url: Required value: URL is required",
    `${rules}[0].message: Invalid value: "m": message can't be set when claim is set`,
    `${mappings}.extra[0].key: Invalid value: "a.test/B": key must be lowercase`,
    `${mappings}.extra[0].valueExpression: Required value: valueExpression is required`,
    "jwt[0].userValidationRules[0].expression: Required value: expression is required",
  ]);
});

test("what a release does not have yet is not read, or refused", () => {
  const anonymous = { anonymous: { enabled: true, conditions: [{ path: "/a" }] } };
  expect(() => findings(anonymous, "1.30")).toThrow('strict decoding error: unknown field "anonymous"');
  expect(findings(anonymous, "1.31")).toEqual([
    "anonymous: Forbidden: anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate is disabled",
  ]);
  expect(findings(anonymous, "1.32")).toEqual([]);
  expect(() => findings(jwt({}, {}, { egressSelectorType: "cluster" }), "1.32")).toThrow(
    'unknown field "jwt[0].issuer.egressSelectorType"',
  );
  expect(findings({ anonymous: { enabled: false, conditions: [{ path: "/a" }] } }, "1.32")).toEqual([
    'anonymous.conditions: Invalid value: []apiserver.AnonymousAuthCondition{apiserver.AnonymousAuthCondition{Path:"/a"}}: enabled should be set to true when conditions are defined',
  ]);
});

test.each([
  ["", "empty config data"],
  ["a: [", "yaml: "],
  ['{"kind":"AuthenticationConfiguration"}', "Object 'apiVersion' is missing in"],
  ['{"apiVersion":"apiserver.config.k8s.io/v1"}', "Object 'Kind' is missing in"],
  [
    '{"apiVersion":"apiserver.config.k8s.io/v99","kind":"AuthenticationConfiguration"}',
    'no kind "AuthenticationConfiguration" is registered for version "apiserver.config.k8s.io/v99"',
  ],
  [
    '{"apiVersion":"apps/v1","kind":"Deployment"}',
    'no kind "Deployment" is registered for version "apps/v1"',
  ],
  [
    "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt1: []\nanonymous: {}\nanonymous: {}",
    'strict decoding error: yaml: unmarshal errors:\n  line 5: key "anonymous" already set in map, unknown field "jwt1"',
  ],
])("the text %j is refused: %s", (text, message) => {
  expect(() => readConfiguration(text, sinceOf("1.34"))).toThrow(message);
});

test.each<[Release, string, boolean]>([
  ["1.29", "v1alpha1", true],
  ["1.29", "v1beta1", false],
  ["1.30", "v1beta1", true],
  ["1.33", "v1", false],
  ["1.34", "v1", true],
])("release %s reads %s: %s", (release, version, isRead) => {
  const text = `apiVersion: apiserver.config.k8s.io/${version}\nkind: AuthenticationConfiguration\n`;
  const read = () => readConfiguration(text, sinceOf(release));
  if (isRead) expect(read()).toEqual({ jwt: [], anonymous: undefined });
  else expect(read).toThrow("is registered for version");
});
