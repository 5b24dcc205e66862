import { structAt } from "../../../apimachinery/fields.ts";
import type { JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { VersionForm } from "../../../registry/contract/version-form.ts";

/** The fields that v1alpha1 has in `spec`, by their names there (kubernetes, pkg/apis/node/v1alpha1/conversion.go). */
const names = { handler: "runtimeHandler", overhead: "overhead", scheduling: "scheduling" } as const;

/** v1alpha1, which has the fields of a RuntimeClass in `spec`. */
export const alphaRuntimeClassForm: VersionForm = {
  toInternal: (runtimeClass) => {
    const { spec: _, ...rest } = runtimeClass;
    const spec = structAt(runtimeClass, "spec");
    const fields = Object.entries(names).map(([name, alphaName]) => [name, spec[alphaName]] as const);
    // The rest has kind, apiVersion and metadata.
    return { ...rest, handler: "", ...given(fields) } as unknown as typeof runtimeClass;
  },
  fromInternal: withSpec,
};

function withSpec<T extends KubeObject | MutableKubeObject>(runtimeClass: T): T {
  const { handler, overhead, scheduling, ...rest } = runtimeClass;
  const spec = given([
    [names.handler, handler ?? ""],
    [names.overhead, overhead],
    [names.scheduling, scheduling],
  ]);
  // The rest has kind, apiVersion and metadata.
  return { ...rest, spec } as unknown as T;
}

function given(fields: readonly (readonly [name: string, value: JsonValue | undefined])[]): {
  readonly [name: string]: JsonValue;
} {
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
