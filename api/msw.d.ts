// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { attach, kubernetesHandlers };

// uses * from msw

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

// src/transports/msw.ts

function attach(cluster: Served, origin: string): {
    detach(): void;
};

function kubernetesHandlers(cluster: Served, origin: string): msw.HttpHandler[];

// src/transports/served.ts

interface Served {
    readonly handler: Handler;
    adminToken(): string;
    readonly reachability?: Reach;
}
