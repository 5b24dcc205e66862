import { fieldForbidden, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, sizeAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { checkedOnce } from "../../../apimachinery/validation/checked-once.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import {
  addForbiddenFields,
  addInvalid,
  addUnlessIn,
  addUnlessNonnegative,
  type Findings,
} from "../../../apimachinery/validation/findings.ts";
import {
  httpHeaderNameMessages,
  portNumberMessages,
} from "../../../apimachinery/validation/value-formats.ts";
import type { PodValidationOptions } from "./pod-validation-options.ts";
import { addNumberOrName } from "./ports.ts";

/** The parts of the pod and the release that the validation of handlers depends on. */
export interface HandlerRules {
  /** The termination grace period of the pod; undefined if it has none. */
  readonly gracePeriod: number | bigint | undefined;
  readonly options: Pick<PodValidationOptions, "allowsZeroSleep">;
}

type Action = (errors: Findings, action: JsonObject, path: string, rules: HandlerRules) => void;

const schemes = ["HTTP", "HTTPS"];
const ofProbes = ["exec", "httpGet", "tcpSocket", "grpc"];
const ofLifecycle = ["exec", "httpGet", "tcpSocket", "sleep"];

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["exec", exec],
  ["httpGet", httpGet],
  ["tcpSocket", (errors, action, path) => addNumberOrName(errors, action, "port", path)],
  ["grpc", grpc],
  ["sleep", sleep],
]);

/** Validates the lifecycle hooks of a container. */
export function addLifecycle(
  errors: Findings,
  container: JsonObject,
  path: string,
  rules: HandlerRules,
): void {
  const lifecycle = objectAt(container, "lifecycle");
  if (lifecycle === undefined) return;
  for (const hook of ["postStart", "preStop"]) {
    const handler = objectAt(lifecycle, hook);
    if (handler) addHandler(errors, handler, ofLifecycle, child(path, "lifecycle", hook), rules);
  }
}

/** Validates the probes of a container. */
export function addProbes(errors: Findings, container: JsonObject, path: string, rules: HandlerRules): void {
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = objectAt(container, name);
    if (probe === undefined) continue;
    const at = child(path, name);
    addProbe(errors, probe, at, rules);
    if (name === "readinessProbe") {
      const grace = probe["terminationGracePeriodSeconds"];
      if (grace === undefined) continue;
      const detail = "must not be set for readinessProbes";
      errors.push(fieldInvalid(child(at, "terminationGracePeriodSeconds"), grace, detail));
    } else if (integerAt(probe, "successThreshold") !== 1) {
      const threshold = integerAt(probe, "successThreshold");
      errors.push(fieldInvalid(child(at, "successThreshold"), threshold, "must be 1"));
    }
  }
}

/** Rejects hooks and probes on containers that cannot have them. */
export function addForbiddenHandlers(errors: Findings, container: JsonObject, path: string): void {
  const detail = "may not be set for init containers without restartPolicy=Always";
  const fields = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];
  addForbiddenFields(errors, container, fields, detail, path);
}

const addProbe = checkedOnce(addErrorsOfProbe, ({ gracePeriod, options }: HandlerRules) => [
  gracePeriod,
  options.allowsZeroSleep,
]);

function addErrorsOfProbe(errors: Findings, probe: JsonObject, path: string, rules: HandlerRules): void {
  addHandler(errors, probe, ofProbes, path, rules);
  const numbers = [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ];
  for (const name of numbers) addUnlessNonnegative(errors, integerAt(probe, name), child(path, name));
  const grace = probe["terminationGracePeriodSeconds"];
  if (grace === undefined || Number(grace) > 0) return;
  errors.push(fieldInvalid(child(path, "terminationGracePeriodSeconds"), grace, "must be greater than 0"));
}

function addHandler(
  errors: Findings,
  handler: JsonObject,
  kinds: readonly string[],
  path: string,
  rules: HandlerRules,
): void {
  let count = 0;
  for (const kind of kinds) {
    const action = objectAt(handler, kind);
    if (action === undefined) continue;
    count += 1;
    if (count === 1) actions.get(kind)?.(errors, action, child(path, kind), rules);
    else errors.push(fieldForbidden(child(path, kind), "may not specify more than 1 handler type"));
  }
  if (count === 0) errors.push(fieldRequired(path, "must specify a handler type"));
}

function exec(errors: Findings, action: JsonObject, path: string): void {
  if (sizeAt(action, "command") === 0) errors.push(fieldRequired(child(path, "command")));
}

function httpGet(errors: Findings, action: JsonObject, path: string): void {
  addNumberOrName(errors, action, "port", path);
  addUnlessIn(errors, schemes, action["scheme"] ?? "", child(path, "scheme"));
  for (const header of listAt(action, "httpHeaders")) {
    const name = textAt(header, "name");
    addInvalid(errors, child(path, "httpHeaders"), name, httpHeaderNameMessages(name));
  }
}

function grpc(errors: Findings, action: JsonObject, path: string): void {
  const port = integerAt(action, "port");
  addInvalid(errors, child(path, "port"), port, portNumberMessages(Number(port)));
}

/** If the pod has no grace period, upstream reports only that. */
function sleep(errors: Findings, action: JsonObject, path: string, rules: HandlerRules): void {
  const { gracePeriod, options } = rules;
  const seconds = integerAt(action, "seconds");
  if (gracePeriod === undefined || (seconds > 0 && seconds <= gracePeriod)) return;
  const allowsZero = options.allowsZeroSleep;
  if (seconds === 0 && allowsZero && gracePeriod >= 0) return;
  const limit = `less than terminationGracePeriodSeconds (${gracePeriod})`;
  const gate = "Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.";
  const detail = allowsZero
    ? `must be non-negative and ${limit}`
    : `must be greater than 0 and ${limit}. ${gate}`;
  errors.push(fieldInvalid(path, seconds, detail));
}
