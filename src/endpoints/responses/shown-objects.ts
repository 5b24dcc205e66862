import { type Awaitable, whenReady } from "../../apimachinery/awaitable.ts";
import { type Encodable, inOtherVersion } from "../../codec/encodable.ts";
import type { Conversion } from "../contract/conversion.ts";

/**
 * Stored objects in the version of the endpoint, converted in one batch. Objects with cached bytes (`isEncoded`) are
 * not converted, because only their bytes are needed.
 */
export function shownObjects(
  stored: readonly Encodable[],
  conversion: Conversion,
  isEncoded: (object: Encodable, index: number) => boolean,
): Awaitable<readonly Encodable[]> {
  if (conversion.isIdentity) return stored;
  const isKept = stored.map(isEncoded);
  const converting = stored.filter((_, index) => !isKept[index]);
  if (converting.length === 0) return stored;
  return whenReady(conversion.convert(converting.map(({ value }) => value)), (values) => {
    if (values.length !== converting.length) {
      throw new Error(`the conversion of ${converting.length} objects returned ${values.length}`);
    }
    const next = values.values();
    return stored.map((object, index) => {
      const value = isKept[index] ? undefined : next.next().value;
      return value === undefined ? object : inOtherVersion(object, value);
    });
  });
}
