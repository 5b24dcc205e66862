import type { AccessExplanation } from "../authorization/explanation/access-explanation.ts";
import type { RoleReports } from "../scenario/role-reports.ts";
import type { UsedAccess } from "../scenario/used-access.ts";
import type { AuthorizationConfig } from "./authorization-options.ts";
import type { ExplainedAccess, ExplainedUser } from "./explained-access.ts";
import type { Server } from "./server.ts";
import type { ClientNames } from "./service-name/client-names.ts";

/** What tests can ask about permissions. The code is loaded when one asks. */
export interface AccessReports extends RoleReports {
  /** Explains what the authorizers decide about an access. @throws {TypeError} for a user or an access that is none */
  explain(user: ExplainedUser, access: ExplainedAccess): Promise<AccessExplanation>;
  /** The smallest roles of all users, as YAML. */
  reportOfRoles(used: UsedAccess): Promise<string>;
}

/** The reports of a server. They read the state once the cluster holds its initial objects. */
export function accessReports(
  names: ClientNames,
  started: () => Promise<Server>,
  configured: () => AuthorizationConfig,
): AccessReports {
  const readyServer = async () => {
    const server = await started();
    await server.ready();
    return server;
  };
  const reporting = () => Promise.all([import("./role-reports.ts"), readyServer()]);
  return {
    explain: async (user, access) => {
      const [{ explainedAttributes }, { explainAccess }] = await Promise.all([
        import("./explained-access.ts"),
        import("../authorization/explanation/access-explanation.ts"),
      ]);
      // Checks what is given before the server is there.
      explainedAttributes(user, access);
      const { registry } = await readyServer();
      const attributes = explainedAttributes(names.real(user), names.real(access));
      const { clientAuthorization: authorization, roles } = registry;
      return names.shown(
        await explainAccess(attributes, { authorization, lister: registry, roles, ...configured() }),
      );
    },
    leastPrivilege: async (log, options) => {
      const [reports, { registry }] = await reporting();
      return names.shown(await reports.leastPrivilege(log, names.real(options), registry.roles));
    },
    compareRoles: async (log, roles, options) => {
      const [reports, { registry }] = await reporting();
      return names.shown(
        await reports.compareRoles(log, names.real(roles), names.real(options), registry.roles),
      );
    },
    reportOfRoles: async (used) => {
      const [reports, { registry }] = await reporting();
      return names.shown(await reports.reportOfRoles(used, registry.roles));
    },
  };
}
