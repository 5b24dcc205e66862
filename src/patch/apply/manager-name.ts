import { isPrintable } from "../../apimachinery/go/go-quote.ts";
import { utf8Length } from "../../apimachinery/utf8.ts";

const MANAGER_MAX = 128;

/**
 * The name of the field manager: `fieldManager` if it is set, otherwise the first part of the User-Agent, without
 * unprintable characters and cut at 128 bytes. It may be empty, which is written as `unknown`.
 */
export function managerName(fieldManager: string, userAgent: string): string {
  return fieldManager === "" ? prefixOf(userAgent) : fieldManager;
}

function prefixOf(userAgent: string): string {
  const [program = ""] = userAgent.split("/", 1);
  // Most programs have such a name.
  if (program.length <= MANAGER_MAX && /^[ -~]*$/.test(program)) return program;
  let name = "";
  let length = 0;
  for (const character of program) {
    if (!isPrintable(character)) continue;
    length += utf8Length(character);
    if (length > MANAGER_MAX) break;
    name += character;
  }
  return name;
}
