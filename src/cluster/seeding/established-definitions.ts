import type { Clock } from "../../apimachinery/clock.ts";
import { structAt, textAt } from "../../apimachinery/fields.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import { CollectedNames } from "../../controllers/custom-resource-definitions/accepted-names.ts";
import { settledStatus } from "../../controllers/custom-resource-definitions/definition-status.ts";
import type { PreparationEnvironment } from "./prepared-object.ts";

/** The parts of a server that decide whether definitions are established. */
export interface EstablishmentEnvironment extends Pick<PreparationEnvironment, "lister" | "served"> {
  readonly clock: Clock;
  /** Whether a test holds back the definitions of a group. */
  readonly isEstablishmentHeld: (group: string) => boolean;
}

const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/**
 * Gives initial CustomResourceDefinitions the status in which their controllers would leave them, so that a cluster with
 * many of them starts with one write for each instead of three. They pass through it in order. Definitions that a test
 * holds back keep the status that they have.
 */
export function establishedDefinitions({
  clock,
  lister,
  served,
  isEstablishmentHeld,
}: EstablishmentEnvironment): (object: MutableKubeObject) => void {
  const accepted = new Map<string, CollectedNames>();
  const namesIn = (group: string): CollectedNames => {
    const names = accepted.get(group) ?? new CollectedNames();
    accepted.set(group, names);
    return names;
  };
  for (const one of lister.list(definitions, "")) {
    namesIn(textAt(one, "spec", "group")).add(structAt(one, "status", "acceptedNames"));
  }
  const since = sinceOf(served.current.release);
  return (object) => {
    const group = textAt(object, "spec", "group");
    if (isEstablishmentHeld(group)) return;
    const status = settledStatus(object, {
      taken: namesIn(group),
      now: clock.now(),
      establishment: "free",
      since,
    });
    namesIn(group).add(structAt(status, "acceptedNames"));
    object["status"] = status;
  };
}
