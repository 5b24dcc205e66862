import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { OwnConversion } from "./own-conversion.ts";

/**
 * How the fields of one version of a kind differ from those that all its versions convert through, as versions do
 * through the internal types upstream.
 */
export interface VersionForm {
  readonly toInternal: <T extends KubeObject | MutableKubeObject>(object: T) => T;
  readonly fromInternal: <T extends KubeObject | MutableKubeObject>(object: T) => T;
}

/** The form of a version that has the internal fields. */
export const internalForm: VersionForm = { toInternal: (object) => object, fromInternal: (object) => object };

/** The rules that contain a conversion from and to each other form. */
export type FormConversions<GV extends string> = {
  readonly [gv in GV]: { readonly conversions: { readonly [storedVersion: string]: OwnConversion } };
};

/** The conversions between all versions of a kind, by the group and version of the endpoint. */
export function formConversions<const GV extends string>(
  forms: {
    readonly [gv in GV]: VersionForm;
  },
): FormConversions<GV> {
  const all = Object.entries<VersionForm>(forms);
  const rules = all.map(([gv, form]) => {
    const others = all.filter(([, other]) => other !== form);
    return [
      gv,
      { conversions: Object.fromEntries(others.map(([of, stored]) => [of, between(stored, form)])) },
    ];
  });
  // The keys are those of `forms`.
  return Object.fromEntries(rules) as FormConversions<GV>;
}

function between(stored: VersionForm, form: VersionForm): OwnConversion {
  return {
    fromStored: (object) => form.fromInternal(stored.toInternal(object)),
    toStored: (object) => stored.fromInternal(form.toInternal(object)),
  };
}
