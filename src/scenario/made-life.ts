import { checkOptions, type OptionType, type OptionTypes } from "../apimachinery/option-checks.ts";
import { numberFrom, oneOf, text } from "../apimachinery/option-types.ts";
import { orFalse, required } from "./failure-option-types.ts";
import { lifeCheck, type PodLife } from "./pod-life.ts";

/** The exit code of a container. */
export const exitCode: OptionType = {
  accepts: "an integer from 0 to 255",
  isValid: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255,
};

const milliseconds: OptionType = { ...numberFrom(0), accepts: "milliseconds" };

/** The members of a life that are objects, with their members. */
const parts: { readonly [part: string]: OptionTypes } = {
  failingProbe: {
    probe: required(oneOf("startup", "readiness", "liveness")),
    after: required(milliseconds),
    message: text,
  },
  exit: { exitCode: required(exitCode), reason: required(text), after: required(milliseconds) },
  eviction: { after: required(milliseconds), message: required(text) },
  nodeLost: { after: required(milliseconds) },
};

const anything: OptionType = { accepts: "anything", isValid: () => true };
const lifeTypes: OptionTypes = {
  name: required(text),
  readyAfter: orFalse(milliseconds),
  pullError: text,
  pullTakes: milliseconds,
  terminationTakes: milliseconds,
  ...Object.fromEntries(Object.keys(parts).map((part) => [part, anything])),
};

/** A life that `cluster.pods.script` takes, also with members that a caller adds or that are those of another life. */
export function made(life: PodLife): PodLife {
  return Object.assign(life, { [lifeCheck]: checkLife });
}

/** @throws {TypeError | Error} for a member that has no effect, and for a cluster without the part that plays scripts */
function checkLife(life: object, simulated: readonly string[]): void {
  checkOptions("script", life, lifeTypes);
  for (const [member, value] of Object.entries(life)) {
    const types = Object.hasOwn(parts, member) ? parts[member] : undefined;
    if (types !== undefined && value !== undefined) checkOptions(`script: ${member}`, value, types);
  }
  if (!simulated.includes("kubelets"))
    throw new Error(
      'script needs the part "kubelets" of a simulated cluster: createCluster({ simulate: true }), or simulate: ["kubelets"]',
    );
}
