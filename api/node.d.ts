// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { ServeOptions, Serving, serve };

// uses Socket from node:net

// src/request/handler.ts

interface ApiRequest {
    readonly method: string;
    readonly target: string;
    readonly headers: HeaderLookup;
    readonly body: (limit: number) => Promise<Uint8Array>;
    readonly signal: AbortSignal;
}

interface ApiResponse {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: ApiResponseBody;
}

type ApiResponseBody = Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;

type Handler = (request: ApiRequest, peer: Peer) => Promise<ApiResponse>;

interface HeaderLookup {
    get(name: string): string | undefined;
    getAll(name: string): readonly string[];
}

// src/request/peer.ts

interface Peer {
    readonly remoteAddress: string;
    readonly certificate: PeerCertificate | undefined;
}

interface PeerCertificate {
    readonly raw: Uint8Array;
    readonly authorized: boolean;
}

// src/request/reachability.ts

interface Reach {
    readonly isReachable: boolean;
    onChange(listener: (isReachable: boolean) => void): () => void;
}

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
    readonly reachability?: Reach;
}
