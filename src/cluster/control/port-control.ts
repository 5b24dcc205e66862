import { bearerTokenOf } from "../../authentication/bearer-token.ts";
import type { ApiRequest, Handler } from "../../request/handler.ts";
import type { Control } from "../../transports/contract/served.ts";
import type { ControlApi } from "./control-api.ts";
import type { ControlContext } from "./controlled-cluster.ts";

/** The first element of every path of the control API. Kubernetes has no such path. */
const prefix = "/kubedouble";

/**
 * The control API of a port. For requests without the administrator's token it does not exist: the cluster answers them
 * like those for every other unknown path. The first request loads its code.
 */
export class PortControl<Snapshot> implements Control {
  readonly #context: ControlContext<Snapshot>;
  #api: Promise<ControlApi<Snapshot>> | undefined;

  constructor(context: ControlContext<Snapshot>) {
    this.#context = context;
  }

  readonly handler: Handler = (request, peer) => {
    if (!this.#isForControl(request)) return this.#context.cluster.handler(request, peer);
    this.#api ??= this.#load();
    return this.#api.then((api) => api.answer(request));
  };

  async close(): Promise<void> {
    const api = await this.#api;
    await api?.close();
  }

  #isForControl(request: ApiRequest): boolean {
    const { target } = request;
    if (!target.startsWith(prefix) || !/^(\/|\?|$)/.test(target.slice(prefix.length))) return false;
    const token = bearerTokenOf(request);
    return token !== undefined && this.#context.cluster.isAdminToken(token);
  }

  async #load(): Promise<ControlApi<Snapshot>> {
    const { ControlApi } = await import("./control-api.ts");
    return new ControlApi(this.#context);
  }
}
