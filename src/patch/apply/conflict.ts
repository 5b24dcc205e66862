import { applyConflict, type StatusError } from "../../apimachinery/errors/errors.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { StatusCause } from "../../apimachinery/status.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import type { Path } from "./field-set.ts";
import { type ManagerId, managerInfo } from "./managed-fields.ts";
import { formatPath } from "./path-element.ts";

/** A field that another manager owns and an apply would change. */
export interface Conflict {
  readonly manager: ManagerId;
  readonly path: Path;
}

/** The fields of an apply that other managers own. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

/** The response to an apply with conflicts: one cause for each field of each manager. */
export function conflictStatus({ conflicts }: ConflictError): StatusError {
  const byManager = [...conflicts].sort((a, b) => compareText(a.manager, b.manager));
  return applyConflict(conflictMessage(byManager), byManager.map(causeOf));
}

function causeOf({ manager, path }: Conflict): StatusCause {
  return {
    reason: "FieldManagerConflict",
    message: `conflict with ${formatManager(manager)}`,
    field: formatPath(path),
  };
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first, ...others] = conflicts;
  if (first !== undefined && others.length === 0) {
    const who = formatManager(first.manager);
    return `Apply failed with 1 conflict: conflict with ${who}: ${formatPath(first.path)}`;
  }
  const lines: string[] = [];
  let previous: ManagerId | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== previous) lines.push(`conflicts with ${formatManager(manager)}:`);
    lines.push(`- ${formatPath(path)}`);
    previous = manager;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function formatManager(id: ManagerId): string {
  const { manager, operation, apiVersion, subresource } = managerInfo(id);
  const through = subresource === "" ? "" : ` with subresource ${goQuote(subresource)}`;
  const using = operation === "Update" ? ` using ${apiVersion}` : "";
  return goQuote(manager) + through + using;
}
