// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { interceptKubernetes };

// src/request/handler.ts

// as in index.d.ts: ApiRequest, ApiResponse, ApiResponseBody, Handler, HeaderLookup

// src/request/peer.ts

// as in index.d.ts: Peer, PeerCertificate

// src/request/reachability.ts

// as in index.d.ts: Reachability

// src/transports/nock.ts

function interceptKubernetes(cluster: Served, origin: string): {
    restore(): void;
};

// src/transports/served.ts

interface Served {
    readonly handler: Handler;
    adminToken(): string;
    readonly reachability?: Reachability;
}
