import { expect } from "vitest";
import { describeRules } from "./gated-rule.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const maps = "/api/v1/namespaces/default/configmaps";
const check = "authorizer.group('').resource('pods').check('get').allowed()";
/** The third check costs more than one expression may, if checks have a cost of their own. */
const costly = [check, check, check].join(" && ");
const rules = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }];

describeRules([
  {
    gate: "StrictCostEnforcementForVAP",
    releases: ["1.31", "1.32"],
    seen: ["", expect.stringContaining("cost limit exceeded")],
    see: async (send) => {
      const metadata = { name: "costly.example.com" };
      const constraints = { resourceRules: rules };
      const policy = {
        metadata,
        spec: { matchConstraints: constraints, validations: [{ expression: costly }] },
      };
      expect((await send("POST", `${registration}/validatingadmissionpolicies`, policy)).code).toBe(201);
      const binding = { metadata, spec: { policyName: metadata.name, validationActions: ["Deny"] } };
      expect((await send("POST", `${registration}/validatingadmissionpolicybindings`, binding)).code).toBe(
        201,
      );
      return (await send("POST", maps, { metadata: { name: "m" } })).findings.join();
    },
  },
  {
    gate: "StrictCostEnforcementForWebhooks",
    releases: ["1.31", "1.32"],
    seen: ["", expect.stringContaining("cost limit exceeded")],
    see: async (send) => {
      const webhook = {
        name: "a.example.com",
        clientConfig: { url: "https://hook.example.com" },
        rules,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        matchConditions: [{ name: "never", expression: `!(${costly})` }],
      };
      const hooks = { metadata: { name: "costly" }, webhooks: [webhook] };
      expect((await send("POST", `${registration}/validatingwebhookconfigurations`, hooks)).code).toBe(201);
      return (await send("POST", maps, { metadata: { name: "m" } })).findings.join();
    },
  },
]);
