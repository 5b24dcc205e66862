// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { ServeOptions, Serving, serve };

// uses Socket from node:net

// src/request/handler.ts

// as in index.d.ts: ApiRequest, ApiResponse, ApiResponseBody, Handler, HeaderLookup

// src/request/peer.ts

// as in index.d.ts: Peer, PeerCertificate

// src/request/reachability.ts

// as in index.d.ts: Reachability

// src/transports/node/serve.ts

interface ServeOptions {
    readonly port?: number;
    readonly host?: string;
    readonly tls?: boolean;
    readonly clientCa?: string;
    readonly upgrade?: Upgrade;
}

interface Serving {
    readonly url: string;
    readonly port: number;
    readonly caCertificate: string;
    kubeconfig(): string;
    close(): Promise<void>;
}

function serve(cluster: Served, options?: ServeOptions): Promise<Serving>;

// src/transports/node/upgrade.ts

type Upgrade = (request: ApiRequest, peer: Peer, connection: UpgradeConnection) => Promise<boolean>;

interface UpgradeConnection {
    readonly socket: Socket;
    readonly head: Uint8Array;
}

// src/transports/served.ts

interface Served {
    readonly handler: Handler;
    adminToken(): string;
    readonly reachability?: Reachability;
}
