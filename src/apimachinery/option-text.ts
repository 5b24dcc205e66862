import type { OptionTypes, TextValue } from "./option-checks.ts";

/**
 * The options in a text such as `resource=pods,times=2`. Undefined is no option. `checkOptions` checks their values.
 * @throws {Error} for a part that is not an option, and for an option that is given twice
 */
export function optionsFromText(
  call: string,
  text: string | undefined,
  types: OptionTypes,
): { readonly [option: string]: TextValue } {
  const options = new Map<string, TextValue>();
  for (const part of text?.split(",") ?? []) {
    const equals = part.indexOf("=");
    if (equals < 1) throw new Error(`${call}: ${JSON.stringify(part)} is not an option; write option=value`);
    const option = part.slice(0, equals);
    if (options.has(option)) throw new Error(`${call}: the option ${option} is given twice`);
    const type = Object.hasOwn(types, option) ? types[option] : undefined;
    const value = part.slice(equals + 1);
    options.set(option, type?.fromText?.(value) ?? value);
  }
  return Object.fromEntries(options);
}
