import { invalid } from "../../apimachinery/errors/errors.ts";
import { fieldCauses, fieldInvalid, fieldNotSupported } from "../../apimachinery/errors/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { HandedValue } from "../../codec/json/json.ts";
import { negotiateInput } from "../../codec/media-types/negotiation.ts";
import { readContent } from "../../codec/media-types/request-body.ts";
import type { DeleteOptions } from "../../registry/contract/rest.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import { optionalBoolean, optionalInteger, textValue } from "../../request/query-values.ts";
import { internalTypes, metaV1 } from "../../schema/internal-types.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext } from "../contract/scope.ts";
import { decodeDeleteOptions } from "./decode-body.ts";
import { addDryRunErrors, checkDryRun } from "./write-options.ts";

/** The validated options of a DELETE. */
export type DeleteQuery = Pick<
  DeleteOptions,
  "dryRun" | "gracePeriodSeconds" | "preconditions" | "orphanDependents" | "propagationPolicy"
> & {
  /** Deletes an unreadable object without further checks. Always false while the feature gate is off. */
  readonly ignoresReadError: boolean;
};

const gate = "AllowUnsafeMalformedObjectDeletion";

/** The option that allows deletion of objects that cannot be read. */
export const ignoreReadError = "ignoreStoreReadErrorWithClusterBreakingPotential";

const policies = ["Foreground", "Background", "Orphan", "nil"];

/**
 * The options of a delete, from the body or, if it is empty, from the query.
 * @throws {StatusError} badRequest or a plain 500 for options that cannot be decoded, invalid for contradictions
 */
export async function parseDeleteOptions(
  context: ResourceContext,
  environment: EndpointEnvironment,
): Promise<DeleteQuery> {
  checkDryRun(context.query, environment.gates.isEnabled);
  const content = await readContent(context.request);
  if (!(content instanceof HandedValue) && content.length === 0)
    return validated(fromQuery(context.query, environment), environment);
  const mediaType = negotiateInput(context.request, environment.formats.mediaTypes);
  return validated(await decodeDeleteOptions(content, mediaType, environment.catalog), environment);
}

function fromQuery(query: QueryParameters, { gates }: EndpointEnvironment): JsonObject {
  const grace = optionalInteger(query, "gracePeriodSeconds");
  const orphanDependents = optionalBoolean(query, "orphanDependents");
  const propagationPolicy = query.get("propagationPolicy");
  const ignores = optionalBoolean(query, ignoreReadError);
  return {
    ...(query.has("dryRun") && { dryRun: query.getAll("dryRun") }),
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== null && { propagationPolicy }),
    ...(ignores !== undefined && { [ignoreReadError]: ignores }),
    ...(gates.since("1.17") && preconditionsInQuery(query)),
  };
}

/** Empty values are no preconditions (apimachinery, pkg/apis/meta/v1/conversion.go). */
function preconditionsInQuery(query: QueryParameters): JsonObject {
  const uid = textValue(query, "uid");
  const resourceVersion = textValue(query, "resourceVersion");
  if (uid === "" && resourceVersion === "") return {};
  return {
    preconditions: { ...(uid !== "" && { uid }), ...(resourceVersion !== "" && { resourceVersion }) },
  };
}

function validated(options: JsonObject, { gates }: EndpointEnvironment): DeleteQuery {
  const dryRun = textList(options["dryRun"]);
  const orphanDependents = booleanOf(options["orphanDependents"]);
  const policy = options["propagationPolicy"];
  const ignoresReadError = gates.isEnabled(gate) && options[ignoreReadError] === true;
  const errors: Findings = [];
  addPolicyErrors(errors, orphanDependents, policy);
  addDryRunErrors(errors, dryRun);
  if (ignoresReadError) addExclusionErrors(errors, options);
  if (errors.length > 0) {
    throw invalid(
      { group: "meta.k8s.io", kind: "DeleteOptions" },
      "",
      fieldCauses(errors, gates.since, internalTypes(gates.since, metaV1)),
    );
  }
  const grace = options["gracePeriodSeconds"];
  return {
    dryRun: dryRun.length > 0,
    gracePeriodSeconds: typeof grace === "number" ? Math.max(grace, grace < 0 ? 1 : 0) : undefined,
    preconditions: preconditionsOf(options["preconditions"]),
    orphanDependents,
    propagationPolicy: isPolicy(policy) ? policy : undefined,
    ignoresReadError,
  };
}

function addPolicyErrors(
  errors: Findings,
  orphanDependents: boolean | undefined,
  policy: JsonValue | undefined,
): void {
  const field = "propagationPolicy";
  if (typeof policy !== "string") return;
  if (orphanDependents !== undefined) {
    const detail = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(fieldInvalid(field, policy, detail));
  }
  if (!isPolicy(policy)) errors.push(fieldNotSupported(field, policy, policies));
}

/** Rejects options that cannot be combined with the deletion of an unreadable object. */
function addExclusionErrors(errors: Findings, options: JsonObject): void {
  const dryRun = textList(options["dryRun"]).length > 0 ? ["dryRun"] : [];
  const others = ["propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions"];
  const present = [...dryRun, ...others.filter((name) => (options[name] ?? null) !== null)];
  for (const name of present) {
    errors.push(fieldInvalid(ignoreReadError, true, `cannot be set together with .${name}`));
  }
}

function isPolicy(policy: JsonValue | undefined): policy is "Orphan" | "Background" | "Foreground" {
  return policy === "Orphan" || policy === "Background" || policy === "Foreground";
}

function preconditionsOf(value: JsonValue | undefined): DeleteQuery["preconditions"] {
  if (!isJsonObject(value)) return {};
  const { uid, resourceVersion } = value;
  return {
    ...(typeof uid === "string" && { uid }),
    ...(typeof resourceVersion === "string" && { resourceVersion }),
  };
}

function textList(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function booleanOf(value: JsonValue | undefined): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
