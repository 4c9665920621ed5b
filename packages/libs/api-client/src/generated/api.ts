// Made from openapi.json by npm run generate.

export interface paths {
    "/api/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send payloads
         * @description Answers 200 once every payload is durable. A batch is atomic: one invalid payload refuses all of it, unless `Prefer: handling=lenient` asks for the valid ones. Repeating a payload with its `timestamp` changes nothing; of two values of one host, metric and time the later arrival stays. What is older than anything that is kept is accepted and not stored. At most 1 MiB on the wire and 16 MiB decompressed.
         *
         *     Scope: `ingest`.
         */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send series by Prometheus' remote write
         * @description Version 1.0 and 2.0, in snappy or zstd. Answers 204 once every sample is durable, and 400 once the valid ones are: the others will never be taken. What is taken later is answered 503 with Retry-After.
         *
         *     Scope: `ingest`.
         */
        post: operations["remoteWrite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send series by Prometheus' remote write
         * @description Version 1.0 and 2.0, in snappy or zstd. Answers 204 once every sample is durable, and 400 once the valid ones are: the others will never be taken. What is taken later is answered 503 with Retry-After.
         *
         *     Scope: `ingest`.
         */
        post: operations["remoteWritePush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send metrics by OTLP over HTTP
         * @description Protobuf or JSON; the answer has the type of the request. Answers 200 once every point is durable, with `partial_success` where some were refused for ever. There are no traces and no logs here: their paths are a 404.
         *
         *     Scope: `ingest`.
         */
        post: operations["otlpMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/otlp/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send metrics by OTLP over HTTP
         * @description Protobuf or JSON; the answer has the type of the request. Answers 200 once every point is durable, with `partial_success` where some were refused for ever. There are no traces and no logs here: their paths are a 404.
         *
         *     Scope: `ingest`.
         */
        post: operations["otlpMetricsOfPrometheus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/otlp/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send metrics by OTLP over HTTP
         * @description Protobuf or JSON; the answer has the type of the request. Answers 200 once every point is durable, with `partial_success` where some were refused for ever. There are no traces and no logs here: their paths are a 404.
         *
         *     Scope: `ingest`.
         */
        post: operations["otlpMetricsOfMimir"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send lines of InfluxDB
         * @description Answers 204 once every line is durable, and 400 once the valid ones are. Databases and buckets make no difference; the tag `host` names the host.
         *
         *     Scope: `ingest`.
         */
        post: operations["influxWrite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send lines of InfluxDB
         * @description Answers 204 once every line is durable, and 400 once the valid ones are. Databases and buckets make no difference; the tag `host` names the host.
         *
         *     Scope: `ingest`.
         */
        post: operations["influxWriteVersion2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collectd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send values of collectd
         * @description The format JSON of its plugin `write_http`, which sends nothing again, whatever it is answered.
         *
         *     Scope: `ingest`.
         */
        post: operations["collectd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/api/v1/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send series of Datadog's agent in JSON
         * @description Answers 202 once every point is durable. The key goes into the header `DD-API-KEY`.
         *
         *     Scope: `ingest`.
         */
        post: operations["datadogSeries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/api/v2/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send series of Datadog's agent in protobuf, or of its interface in JSON
         * @description The message `MetricPayload`, as the agent sends it, or the JSON of those that use the interface without the agent. Answers 202 once every point is durable. The key goes into the header `DD-API-KEY`.
         *
         *     Scope: `ingest`.
         */
        post: operations["datadogSeriesVersion2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/intake/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what Datadog's agent says of its host
         * @description Its tags become tags of the host with the host's next sample. Nothing else of it is stored.
         *
         *     Scope: `ingest`.
         */
        post: operations["datadogIntake"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/api/beta/sketches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take distributions of Datadog's agent
         * @description They are not stored, and counted as left out.
         *
         *     Scope: `ingest`.
         */
        post: operations["datadogSketches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/api/v1/check_run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take states of checks of Datadog's agent
         * @description It is not stored: an agent that is refused it would send it again for ever.
         *
         *     Scope: `ingest`.
         */
        post: operations["datadogCheckRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/api/v1/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take inventories of Datadog's agent
         * @description It is not stored: an agent that is refused it would send it again for ever.
         *
         *     Scope: `ingest`.
         */
        post: operations["datadogMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/api/v2/host_metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take descriptions of hosts of Datadog's agent
         * @description It is not stored: an agent that is refused it would send it again for ever.
         *
         *     Scope: `ingest`.
         */
        post: operations["datadogHostMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answer senders of lines that lines are taken here */
        get: operations["influxPing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answer senders of lines by version 2 that lines are taken here */
        get: operations["influxHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer CREATE DATABASE and SHOW DATABASES of senders of lines
         * @description Every other statement is a 400: queries are those of `/api/v1`.
         *
         *     Scope: `ingest`.
         */
        post: operations["influxQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datadog/api/v1/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether the key of Datadog's agent is valid
         * @description A key that is missing or wrong is a 403, as the agent expects it.
         *
         *     Scope: `ingest`.
         */
        get: operations["datadogValidate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/receipts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what became of payloads
         * @description Says of each record of a receipt whether it was stored, evaluated by rules, or moved to the dead letters. Receipts are kept for 48 hours. A key that cannot read sees its own alone.
         *
         *     Scope: `ingest`.
         */
        get: operations["getIngestReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List services, or groups of them
         * @description Services by name; with `group_by`, a row for each value of a tag.
         *
         *     Scope: `read`.
         */
        get: operations["listServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read all services at once, or what has changed
         * @description Every service that is not archived, as columns by name: ten thousand are some 360 KB compressed. With `since` only those that have changed; a service may be repeated unchanged. Services are read at most once a second for all requests of an organization, and at most 50000 of them.
         *
         *     Scope: `read`.
         */
        get: operations["getFleetSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a service
         * @description Scope: `read`.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        /**
         * Delete a service
         * @description It leaves every answer at once and its data ages out. If it reports again, it is a new service.
         *
         *     Scope: `write`.
         */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a service's metrics over time
         * @description At most 11,000 steps; the finest data that is kept for the range and suits the step is chosen.
         *
         *     Scope: `read`.
         */
        get: operations["getServiceMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{id}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a service's processes, containers and parts at a time
         * @description Of the newest payloads at or before that time. Processes and containers are kept for 48 hours and parts as long as raw samples, unless the installation sets other times.
         *
         *     Scope: `read`.
         */
        get: operations["getServiceSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed about a service
         * @description Markers that select the host, changes of its tags, and rules of its scope that were created or edited; of each kind the newest 200 of the range at most. Investigations read the same.
         *
         *     Scope: `read`.
         */
        get: operations["listServiceChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List parts of hosts
         * @description Filesystems, disks, units and other parts with their latest values: by kind, name and host, or in the order that `sort` names. Parts of archived services are left out, and so are parts without samples for a day, by the clock of their host; their series stay. With `as_of` the list has the parts that were in it at that time, with the latest values of then as far as raw samples are kept, and the labels of now.
         *
         *     Scope: `read`.
         */
        get: operations["listParts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List metrics
         * @description The metrics of hosts by name, and those of parts by kind and name, such as `filesystem.used_percent`, with how many services have each. Archived services do not count.
         *
         *     Scope: `read`.
         */
        get: operations["listMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query one metric of many hosts
         * @description Aggregates over hosts, or over parts of hosts, what each has on average in a step, exactly. A query may read 2,000,000 rows and answer 200,000 points; one that takes more is refused with what is allowed. Archived services are part of it, deleted ones are not.
         *
         *     Scope: `read`.
         */
        post: operations["queryMetric"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert rules, or export them
         * @description Rules by creation, oldest first. With `format`, not by `Accept`, all of them as the document that `PUT` takes: unpaged, without what the server sets and what is as if it were left out.
         *
         *     Scope: `read`.
         */
        get: operations["listRules"];
        /**
         * Make the alert rules those of a document
         * @description Creates, updates and with `prune` deletes rules, all or none, known by their external ids; sending the same again changes nothing. At most 1,000 rules and 1 MiB. In YAML at most 1,000 aliases are followed, and tags and merge keys are refused.
         *
         *     Scope: `write`.
         */
        put: operations["applyRules"];
        /**
         * Create an alert rule
         * @description The rule evaluates every payload that is accepted after the answer. Unknown fields are refused.
         *
         *     Scope: `write`.
         */
        post: operations["createRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/rules/starter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install the starter set of alert rules
         * @description Creates those that are not there, deleted ones too; one that is there stays as it is. Their external ids begin with `starter/`.
         *
         *     Scope: `write`.
         */
        post: operations["installStarterRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a rule on what is stored
         * @description Evaluates stored samples, or their minutes where samples are no longer kept for the whole range, as the rule would have evaluated them live. Nothing is stored. Rules on host.silent_minutes and policies for data that stay away cannot be tried. An organization has one preview at a time.
         *
         *     Scope: `read`.
         */
        post: operations["previewRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an alert rule
         * @description Scope: `read`.
         */
        get: operations["getRule"];
        put?: never;
        post?: never;
        /**
         * Delete an alert rule
         * @description Its active alerts resolve as `rule_deleted`.
         *
         *     Scope: `write`.
         */
        delete: operations["deleteRule"];
        options?: never;
        head?: never;
        /**
         * Change an alert rule
         * @description A JSON merge patch (RFC 7396). Null sets an optional field back to its default.
         *
         *     Scope: `write`.
         */
        patch: operations["updateRule"];
        trace?: never;
    };
    "/api/v1/alerts/rules/{id}/thresholds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the terms by which a rule evaluates each host
         * @description The living services by name, each with the terms that apply to it now: those of the first override that matches it, else those of the rule.
         *
         *     Scope: `read`.
         */
        get: operations["listRuleThresholds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description By the time they fired, newest first; active ones unless `status` says otherwise.
         *
         *     Scope: `read`.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count alerts
         * @description How many fired in a range and what came of them: in all, by rule, service or severity, and for each step. Of the last seven days unless `from` and `to` say otherwise; a range with more than 200000 alerts is refused.
         *
         *     Scope: `read`.
         */
        get: operations["countAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an alert
         * @description Scope: `read`.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what led to an alert
         * @description Its transitions, the samples that opened, fired and closed it, and how long each step took.
         *
         *     Scope: `read`.
         */
        get: operations["getAlertEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert
         * @description Once more changes nothing but adds a comment that is new. The alert goes on as before.
         *
         *     Scope: `write`.
         */
        post: operations["acknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an alert by hand
         * @description Its `resolution` is `manual`. If the breach goes on, the next breaching sample starts again, with an alert of its own. An alert that is resolved already stays as it is.
         *
         *     Scope: `write`.
         */
        post: operations["resolveAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Comment on an alert
         * @description Active or resolved; nothing else of the alert changes, and no event is emitted.
         *
         *     Scope: `write`.
         */
        post: operations["commentAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/investigations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List investigations
         * @description By creation, newest first, with their findings.
         *
         *     Scope: `read`.
         */
        get: operations["listInvestigations"];
        put?: never;
        /**
         * Ask for an investigation
         * @description Of an alert, or of a service in a window. Critical and warning alerts begin one by themselves, one for each service and 30 minutes; one that is asked for is always new, whatever there is already. An alert without an investigation gets this one as its `investigation_id`. It waits in a queue: follow `status`, or the events `investigation.*`.
         *
         *     Scope: `write`.
         */
        post: operations["requestInvestigation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/investigations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an investigation in full
         * @description While it runs, with the findings so far. Its evidence is frozen: it stays when samples have aged out.
         *
         *     Scope: `read`.
         */
        get: operations["getInvestigation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/investigations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an investigation
         * @description Whether it waits or runs; it keeps the findings that it has. Once more changes nothing. What is completed or has failed cannot be cancelled.
         *
         *     Scope: `write`.
         */
        post: operations["cancelInvestigation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/investigations/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether an investigation helped
         * @description And what it really was. Later investigations of the same trouble name it. What was said last stays.
         *
         *     Scope: `write`.
         */
        post: operations["rateInvestigation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List markers
         * @description Scope: `read`.
         */
        get: operations["listMarkers"];
        put?: never;
        /**
         * Set a marker
         * @description To be called by whatever deploys, restarts or reconfigures. Investigations of the hosts that `selector` chooses look at what was marked shortly before the trouble began.
         *
         *     Scope: `write`.
         */
        post: operations["createMarker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a marker
         * @description Scope: `read`.
         */
        get: operations["getMarker"];
        put?: never;
        post?: never;
        /**
         * Take a marker away
         * @description Investigations that have named it already go on doing so.
         *
         *     Scope: `write`.
         */
        delete: operations["deleteMarker"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/silences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List silences
         * @description Scope: `read`.
         */
        get: operations["listSilences"];
        put?: never;
        /**
         * Create a silence
         * @description While it is active nothing that opens, escalates or repeats is notified of the alerts that it matches, whenever they began; one whose time is over is taken too, and its `status` says so. A resolution is notified whenever its firing was. Hosts that it matches by nothing but `hosts` and `tags` are in `maintenance` while it is active.
         *
         *     Scope: `write`.
         */
        post: operations["createSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/silences/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what a silence would mute
         * @description Hosts and active alerts are matched as a silence matches them. Nothing is stored.
         *
         *     Scope: `read`.
         */
        post: operations["previewSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/silences/windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when silences mute
         * @description Windows of recurring silences one by one, expanded as they mute. The range has at most 92 days, and the answer at most 10000 windows.
         *
         *     Scope: `read`.
         */
        get: operations["listSilenceWindows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/silences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a silence
         * @description Scope: `read`.
         */
        get: operations["getSilence"];
        put?: never;
        post?: never;
        /**
         * End a silence
         * @description It ends now and leaves the list. What it withheld is notified where the alert is still active.
         *
         *     Scope: `write`.
         */
        delete: operations["deleteSilence"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description Scope: `read`.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Create a channel
         * @description The first channel of a kind becomes its default. Secrets are stored encrypted and read back masked; a secret that is made for a webhook is shown in this answer alone.
         *
         *     Scope: `write`.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a channel
         * @description Scope: `read`.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /**
         * Delete a channel
         * @description Its secrets are forgotten. Rules that name it stay as they are, with a warning, and what goes there is recorded as `not_configured`. No other channel becomes the default of its kind.
         *
         *     Scope: `write`.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel
         * @description A JSON merge patch (RFC 7396). What is sent back masked stays as it is stored, unless it would then go to another server. `is_default: true` moves the default of the kind here; null as the secret of a webhook makes a new one.
         *
         *     Scope: `write`.
         */
        patch: operations["updateChannel"];
        trace?: never;
    };
    "/api/v1/channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a channel out
         * @description Sends one message that says it is a test, also where the channel is disabled, and tries once. A webhook gets, whatever it asked for, an `alert.fired` about the host `example-host` by a rule that is named `Test of the channel` and the name of the channel; neither exists.
         *
         *     Scope: `write`.
         */
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications
         * @description What channels were notified of, will be notified of, or were not notified of and why, newest first.
         *
         *     Scope: `read`.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a notification once more
         * @description Whatever became of it, it is sent again as it was, with the same event id. One that is queued is tried at once.
         *
         *     Scope: `write`.
         */
        post: operations["redeliverNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Scope: `admin`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description The secret is in this answer alone; only its digest is stored. A key cannot make one that may do more than itself: bounds that are not given are its own, wider ones are refused.
         *
         *     Scope: `admin`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a key
         * @description Scope: `admin`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description It stops within ten seconds in every process that can reach the database. An operator key is revoked by operator keys alone.
         *
         *     Scope: `admin`.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description Makes a key with the same name, scopes, limits and hosts. Both work until the grace is over, and the former one at most ten seconds longer; the end of the grace becomes its `expires_at`. Where that one had an end, the new one gets the same span from now on.
         *
         *     Scope: `admin`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who asks
         * @description The session, its key and organization, and what may be done; also for a key.
         *
         *     Scope: any.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description Exchanges a key or a sign-in link for a session, whose token is in the cookie alone. A session that the browser had before ends. Refused keys and links count against the limit of refused keys of the address.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session that asks. For a request with a key there is nothing to end.
         *
         *     Scope: any.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a session
         * @description Lets the session use `admin` and `operator` for another time, 60 minutes by default. Takes the key of the session; another one is refused. A user of single sign-on confirms by `POST /api/v1/session/sign-on`.
         *
         *     Scope: any.
         */
        post: operations["confirmSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description Open sessions of the key that asks, as far as they may do no more than the request; with `admin`, confirmed where a session asks, those of the organization.
         *
         *     Scope: any.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description It ends within ten seconds in every process that can reach the database, its event streams included. Sessions beyond the own ones need `admin`.
         *
         *     Scope: any.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sign-in link
         * @description The link signs in one browser, once, for the key that asks. Takes a key, or a session that is confirmed. It can grant no more scopes than the request has.
         *
         *     Scope: any.
         */
        post: operations["createSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how people sign in
         * @description What the sign-in of the console offers. Needs no key; a key that is sent has to be valid.
         */
        get: operations["getSignInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/sign-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the identity provider
         * @description Begins a sign-in, or the confirmation of a session, by the authorization code flow of OpenID Connect. The browser opens `url`, and comes back within ten minutes.
         */
        post: operations["beginSignOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description By creation, oldest first.
         *
         *     Scope: `operator`.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description Answers its first admin key, whose secret is shown only here; that key lacks the scope `operator`. Names may repeat. It is noted in the audit log of the organization whose key asked.
         *
         *     Scope: `operator`.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Who changed which rule, channel, silence, key, service or alert, who made which organization, and who signed in and out, newest first.
         *
         *     Scope: `admin`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events
         * @description Server-sent events: `id` is the id of a CloudEvent, `event` its type and `data` the CloudEvent on one line, in the form of the schema `Event`. The answer never ends by itself. Its first block says in `retry` after how many milliseconds to come back, and like the comments that come every 15 seconds may carry an `id` without `data`: that, too, is one to resume from. Who comes back with `Last-Event-ID` gets everything since that event, once and in order, if what came after it is at most 24 hours old. Otherwise one `event: reset` says that something may be missing, and new events follow. A stream ends when its key is revoked or expires, when its reader is too slow, and when the process leaves: come back with `Last-Event-ID`.
         *
         *     Scope: `read`.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state at a glance
         * @description Hosts by status, active alerts by severity and acknowledgement, how far evaluation is behind, and what was not delivered. Read at most once a second for all requests of an organization.
         *
         *     Scope: `read`.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read limits and their use
         * @description Requests of the key, and samples, series and stored objects of the organization. Stored objects and series are counted at most every ten seconds.
         *
         *     Scope: `read`.
         */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of the installation
         * @description Processes, lag, dead letters, queues, jobs and storage of the whole installation, for its operator. Processes report every ten seconds; one that has not reported for thirty is `missing`. `/readyz` says whether the process that answers is ready, and needs no key.
         *
         *     Scope: `operator`.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process can do its work */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of the process itself, for Prometheus
         * @description In the distributed topology every process answers on a port of its own, and nothing is here.
         */
        get: operations["getProcessMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document as a page */
        get: operations["readDocumentation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every code of a problem */
        get: operations["listProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a problem means */
        get: operations["readProblem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a webhook is sent
         * @description Every event that a channel of the kind `webhook` receives is posted to its `url`, with the `headers` of its configuration, signed by [Standard Webhooks](https://www.standardwebhooks.com/): a signature is `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, the body as it came, with the bytes that stand in base64 behind `whsec_` of the secret as the key. Compare in constant time.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description What one host says at one time. Unknown fields are ignored; `Prefer: warnings` names them in the answer. */
        Payload: {
            /** @description Name of the reporting host. */
            host: string;
            /**
             * Format: date-time
             * @description Time of the samples, by default that of arrival. Any offset, UTC where there is none; since 2000, at most 24 hours ahead.
             */
            timestamp?: string;
            /** @description Metric names to values; empty is a heartbeat. At most 512. */
            metrics: {
                [key: string]: number;
            };
            /** @description Tags of the host. At most 64; they replace the earlier ones as a whole. */
            tags?: {
                [key: string]: string;
            };
            /** @description Containers of the host. At most 500, each with a name of its own. */
            docker_containers?: components["schemas"]["ContainerSample"][];
            /** @description Processes of the host. At most 1,000. All are kept, also of one name or pid; rules evaluate the sum of each name. */
            processes?: components["schemas"]["ProcessSample"][];
            /** @description How many processes of each name run, also of names that `processes` leaves out. At most 1,000. A name that is not in it does not run. */
            process_counts?: {
                [key: string]: number;
            };
            /** @description Parts of the host. At most 256 with 2,000 numbers in all, each with a kind and name of its own. A part without numbers is not stored. */
            parts?: components["schemas"]["PartSample"][];
        };
        /** @description A container of the host. Further numeric fields (at most 32) are metrics too. */
        ContainerSample: {
            /** @description Name of the container. */
            name: string;
            /** @description Image with its tag. */
            image?: string;
            /** @description Status by the runtime. */
            status?: string;
            /** @description Id by the runtime, which a container keeps when it is renamed. */
            id?: string | null;
            /** @description Result of the runtime's health check: `healthy`, `unhealthy` or `starting`. */
            health?: string | null;
            /** @description Percent. */
            cpu_percent?: number;
            /** @description Bytes. */
            memory_usage?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A process of the host. */
        ProcessSample: {
            /** @description Name of the process. */
            name: string;
            /** @description Process id. */
            pid: number;
            /** @description Percent of one core. */
            cpu_percent?: number;
            /** @description Resident set size, bytes. */
            memory_rss?: number;
        };
        /** @description A part of the host, such as a filesystem, a disk or a unit. Its kind and name identify it; its numeric fields (at most 512) are metrics. */
        PartSample: {
            /** @description Kind of the part; not host, container, process or part, and without `.`, `:` and `*`. */
            kind: string;
            /** @description Name among its kind. */
            name: string;
            /** @description Labels of the part. At most 16; they replace the earlier ones as a whole, and without them those stay. */
            labels?: {
                [key: string]: string;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A question about one metric of many hosts, or of their parts. */
        FleetQuery: {
            /** @description A metric of hosts, or of parts by their kind and metric, such as `filesystem.used_percent`. Where hosts have a metric of this very name too, it is read as well. */
            metric: string;
            /** @default {} */
            selector?: components["schemas"]["PartSelector"];
            /**
             * Format: date-time
             * @description Start of the range; by default an hour before its end.
             */
            from?: string;
            /**
             * Format: date-time
             * @description End of the range, not part of it; by default now.
             */
            to?: string;
            /** @description Length of a step: seconds, or `1m`, `1h`, `1d`. By default one that suits the range. */
            step?: ((number | string) | (string | number)) | number | string;
            /**
             * @description What the hosts or parts of a group come to in a step, of each its average there; `count` is how many have samples. Percentiles lie on a straight line between the two nearest.
             * @default avg
             * @enum {string}
             */
            aggregate?: "avg" | "min" | "max" | "sum" | "count" | "p5" | "p50" | "p95" | "p99";
            /**
             * @description Name of a tag: a series for each of its values. Null: one for all hosts.
             * @default null
             */
            group_by?: string | null;
            /**
             * @description Groups by something else than a tag: `host`; `part`, the kind and name of a part over all hosts; its `kind`; or `subject`, each part of each host, or each host, by itself. Not with `group_by`.
             * @default null
             */
            by?: ("host" | "part" | "kind" | "subject") | null;
            /**
             * @description Only so many groups, those whose points have the greatest mean; without `group_by` and `by` every host, or part of a host, is a group of its own.
             * @default null
             */
            top?: number | null;
        } & (unknown & ({
            metric?: unknown;
        } | {
            selector?: unknown;
        }));
        /** @description Chooses hosts and their parts: every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent. */
        PartSelector: {
            /** @description Patterns of host names, of which one must match. */
            hosts?: string[];
            /** @description Tag names to a pattern or a list of patterns of their values. Every tag must match. */
            tags?: {
                [key: string]: string | string[];
            };
            /** @description A pattern, or a list of patterns of which one must match, of names of parts; their kind is in the metric. Only where the metric is one of parts. */
            part?: string | string[];
            /** @description Label names to a pattern or a list of patterns of their values. Every label must match. Only where the metric is one of parts. */
            part_labels?: {
                [key: string]: string | string[];
            };
        };
        /** @description Rules as one document. */
        RuleSet: {
            rules: components["schemas"]["NamedRule"][];
            /**
             * @description Deletes the rules that have an external id and are not in `rules`; never those without one.
             * @default false
             */
            prune?: boolean;
            /**
             * @description Answers what would happen and changes nothing.
             * @default false
             */
            dry_run?: boolean;
        };
        /** @description A rule of a set. It needs an external id. */
        NamedRule: {
            /** @description By what the rule is known when the set is sent again; or the id of a rule without an external id, which it then gets. */
            external_id: string;
            /** @description Name for people. */
            name: string;
            /**
             * @description What the rule is for.
             * @default null
             */
            description?: string | null;
            /**
             * @description Whether the rule is evaluated.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description A rule in `shadow` is evaluated and records alerts, but notifies no channel and affects no health.
             * @default active
             * @enum {string}
             */
            mode?: "active" | "shadow";
            /** @description Name of the metric that is evaluated. `container.` and a field of containers evaluates each container separately, `process.cpu_percent`, `process.memory_rss` and `process.count` evaluate all processes of one name together, `container.running` and `container.unhealthy` are 1 or 0, a kind of parts with a full stop and one of their metrics (`filesystem.used_percent`) evaluates each part of this kind separately, as well as a metric of hosts of this name, and `host.silent_minutes` is the number of minutes since a host was last seen. */
            metric: string;
            /**
             * @description Evaluates a derived value; null is the sample.
             * @default null
             */
            transform?: components["schemas"]["Transform"] | null;
            /**
             * @description How the value is compared with the threshold. `between` and `not_between` include both thresholds in the range.
             * @enum {string}
             */
            condition: "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "equal" | "not_equal" | "between" | "not_between";
            /**
             * @description Limit that the value is compared with. Required unless `thresholds` is given.
             * @default null
             */
            threshold?: number | null;
            /**
             * @description Upper limit of `between` and `not_between`, which need it; null for the others.
             * @default null
             */
            threshold_max?: number | null;
            /**
             * @description What the value must pass for the alert to clear. On the clear side of the threshold; only for conditions with one direction.
             * @default null
             */
            recovery_threshold?: number | null;
            /**
             * @description Minutes that the breach must last.
             * @default 5
             */
            duration_minutes?: number;
            /**
             * @description Minutes that it must be clear before the alert resolves.
             * @default 0
             */
            keep_firing_minutes?: number;
            /**
             * @description How bad a breach is.
             * @default warning
             * @enum {string}
             */
            severity?: "critical" | "warning" | "info";
            /** @default null */
            thresholds?: components["schemas"]["Level"][] | null;
            /**
             * @description Exceptions for some hosts or parts; the first that matches a host or part counts.
             * @default []
             */
            overrides?: components["schemas"]["Override"][];
            /** @default {} */
            scope?: components["schemas"]["RuleSelector"];
            /**
             * @default {
             *       "policy": "keep_state",
             *       "after_minutes": 10
             *     }
             */
            no_data?: {
                /**
                 * @description What happens when the metric stays away: nothing, an alert, or that its alert resolves.
                 * @default keep_state
                 * @enum {string}
                 */
                policy?: "keep_state" | "alert" | "resolve";
                /**
                 * @description After how many minutes the metric counts as staying away.
                 * @default 10
                 */
                after_minutes?: number;
            };
            /**
             * @description Minutes after which channels are notified again of an active alert; null is never.
             * @default null
             */
            renotify_minutes?: number | null;
            /**
             * @description Where alerts are notified: `default` (the default channels of all kinds), kinds (the default channel of that kind) or ids of channels. Without any, nobody is notified.
             * @default []
             */
            channels?: string[];
            /**
             * @description What to do about it.
             * @default null
             */
            runbook_url?: string | null;
        } & (unknown & unknown & unknown & unknown & {
            metric: ("host.silent_minutes" | "process.cpu_percent" | "process.memory_rss" | "process.count") | unknown;
        } & unknown & unknown & unknown);
        /** @description Evaluates a value derived from the subject's own stream instead of the sample: the mean, minimum or maximum of the last minutes, the change or the change a minute since then, or where a straight line through them leads. */
        Transform: {
            /** @enum {string} */
            kind: "average" | "minimum" | "maximum" | "change" | "rate_per_minute";
            /** @description The length of the window, minutes. The rule is not evaluated before samples cover half of it. */
            over_minutes: number;
        } | {
            /** @constant */
            kind: "forecast";
            /** @description The length of the window, minutes. The rule is not evaluated before samples cover half of it. */
            over_minutes: number;
            /** @description How far ahead of the sample the line is followed, minutes. */
            ahead_minutes: number;
        };
        /** @description A threshold with a severity of its own. */
        Level: {
            /**
             * @description How bad a breach is.
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            threshold: number;
            /** @default null */
            threshold_max?: number | null;
            /** @default null */
            recovery_threshold?: number | null;
            /**
             * @description Minutes that the breach must last; null is the rule's.
             * @default null
             */
            duration_minutes?: number | null;
        };
        /** @description What some hosts or parts have other than the rule; null is as the rule has it. */
        Override: {
            /** @description The hosts, or parts of hosts, that it is for. */
            match: components["schemas"]["RuleSelector"];
            /**
             * @description False leaves these hosts or parts out.
             * @default true
             */
            enabled?: boolean;
            /** @default null */
            threshold?: number | null;
            /** @default null */
            threshold_max?: number | null;
            /** @default null */
            recovery_threshold?: number | null;
            /** @default null */
            duration_minutes?: number | null;
            /** @default null */
            keep_firing_minutes?: number | null;
            /** @default null */
            severity?: ("critical" | "warning" | "info") | null;
            /** @default null */
            thresholds?: components["schemas"]["Level"][] | null;
        };
        /** @description Chooses hosts and their parts, containers or processes: every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent. */
        RuleSelector: {
            /** @description Patterns of host names, of which one must match. */
            hosts?: string[];
            /** @description Tag names to a pattern or a list of patterns of their values. Every tag must match. */
            tags?: {
                [key: string]: string | string[];
            };
            /** @description A pattern, or a list of patterns of which one must match, of names of parts; their kind is in the metric. Only where the metric is one of parts. */
            part?: string | string[];
            /** @description Label names to a pattern or a list of patterns of their values. Every label must match. Only where the metric is one of parts. */
            part_labels?: {
                [key: string]: string | string[];
            };
            /** @description A pattern, or a list of patterns of which one must match, of names of containers. Only where the metric is one of containers. */
            container?: string | string[];
            /** @description A pattern, or a list of patterns of which one must match, of names of processes. Only where the metric is one of processes. */
            process?: string | string[];
        };
        /** @description A rule as it is created. */
        RuleInput: {
            /**
             * @description The rule's name in the system that manages it.
             * @default null
             */
            external_id?: string | null;
            /** @description Name for people. */
            name: string;
            /**
             * @description What the rule is for.
             * @default null
             */
            description?: string | null;
            /**
             * @description Whether the rule is evaluated.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description A rule in `shadow` is evaluated and records alerts, but notifies no channel and affects no health.
             * @default active
             * @enum {string}
             */
            mode?: "active" | "shadow";
            /** @description Name of the metric that is evaluated. `container.` and a field of containers evaluates each container separately, `process.cpu_percent`, `process.memory_rss` and `process.count` evaluate all processes of one name together, `container.running` and `container.unhealthy` are 1 or 0, a kind of parts with a full stop and one of their metrics (`filesystem.used_percent`) evaluates each part of this kind separately, as well as a metric of hosts of this name, and `host.silent_minutes` is the number of minutes since a host was last seen. */
            metric: string;
            /**
             * @description Evaluates a derived value; null is the sample.
             * @default null
             */
            transform?: components["schemas"]["Transform"] | null;
            /**
             * @description How the value is compared with the threshold. `between` and `not_between` include both thresholds in the range.
             * @enum {string}
             */
            condition: "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "equal" | "not_equal" | "between" | "not_between";
            /**
             * @description Limit that the value is compared with. Required unless `thresholds` is given.
             * @default null
             */
            threshold?: number | null;
            /**
             * @description Upper limit of `between` and `not_between`, which need it; null for the others.
             * @default null
             */
            threshold_max?: number | null;
            /**
             * @description What the value must pass for the alert to clear. On the clear side of the threshold; only for conditions with one direction.
             * @default null
             */
            recovery_threshold?: number | null;
            /**
             * @description Minutes that the breach must last.
             * @default 5
             */
            duration_minutes?: number;
            /**
             * @description Minutes that it must be clear before the alert resolves.
             * @default 0
             */
            keep_firing_minutes?: number;
            /**
             * @description How bad a breach is.
             * @default warning
             * @enum {string}
             */
            severity?: "critical" | "warning" | "info";
            /** @default null */
            thresholds?: components["schemas"]["Level"][] | null;
            /**
             * @description Exceptions for some hosts or parts; the first that matches a host or part counts.
             * @default []
             */
            overrides?: components["schemas"]["Override"][];
            /** @default {} */
            scope?: components["schemas"]["RuleSelector"];
            /**
             * @default {
             *       "policy": "keep_state",
             *       "after_minutes": 10
             *     }
             */
            no_data?: {
                /**
                 * @description What happens when the metric stays away: nothing, an alert, or that its alert resolves.
                 * @default keep_state
                 * @enum {string}
                 */
                policy?: "keep_state" | "alert" | "resolve";
                /**
                 * @description After how many minutes the metric counts as staying away.
                 * @default 10
                 */
                after_minutes?: number;
            };
            /**
             * @description Minutes after which channels are notified again of an active alert; null is never.
             * @default null
             */
            renotify_minutes?: number | null;
            /**
             * @description Where alerts are notified: `default` (the default channels of all kinds), kinds (the default channel of that kind) or ids of channels. Without any, nobody is notified.
             * @default []
             */
            channels?: string[];
            /**
             * @description What to do about it.
             * @default null
             */
            runbook_url?: string | null;
        } & (unknown & unknown & unknown & unknown & {
            metric: ("host.silent_minutes" | "process.cpu_percent" | "process.memory_rss" | "process.count") | unknown;
        } & unknown & unknown & unknown);
        /** @description A rule to be tried on what is stored. */
        PreviewInput: {
            rule: components["schemas"]["RuleInput"];
            /**
             * Format: date-time
             * @description Where to begin; 7 days before `to` unless given. What is no longer kept is left out.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Where to end, itself not included; now unless given, and at most now.
             */
            to?: string;
            /** @description Thresholds to compare in the curve; the rule's own where only `durations` is given. */
            thresholds?: number[];
            /** @description Minutes to compare in the curve; the rule's own where only `thresholds` is given. */
            durations?: number[];
        };
        /** @description A JSON merge patch (RFC 7396): null sets an optional field back to its default. */
        RulePatch: {
            /** @description The rule's name in the system that manages it. */
            external_id?: string | null;
            /** @description Name for people. */
            name?: string;
            /** @description What the rule is for. */
            description?: string | null;
            /** @description Whether the rule is evaluated. */
            enabled?: boolean | null;
            /** @description A rule in `shadow` is evaluated and records alerts, but notifies no channel and affects no health. */
            mode?: ("active" | "shadow") | null;
            /** @description Name of the metric that is evaluated. `container.` and a field of containers evaluates each container separately, `process.cpu_percent`, `process.memory_rss` and `process.count` evaluate all processes of one name together, `container.running` and `container.unhealthy` are 1 or 0, a kind of parts with a full stop and one of their metrics (`filesystem.used_percent`) evaluates each part of this kind separately, as well as a metric of hosts of this name, and `host.silent_minutes` is the number of minutes since a host was last seen. */
            metric?: string;
            /** @description Evaluates a derived value; null is the sample. */
            transform?: components["schemas"]["Transform"] | null;
            /**
             * @description How the value is compared with the threshold. `between` and `not_between` include both thresholds in the range.
             * @enum {string}
             */
            condition?: "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "equal" | "not_equal" | "between" | "not_between";
            /** @description Limit that the value is compared with. Required unless `thresholds` is given. */
            threshold?: number | null;
            /** @description Upper limit of `between` and `not_between`, which need it; null for the others. */
            threshold_max?: number | null;
            /** @description What the value must pass for the alert to clear. On the clear side of the threshold; only for conditions with one direction. */
            recovery_threshold?: number | null;
            /** @description Minutes that the breach must last. */
            duration_minutes?: number | null;
            /** @description Minutes that it must be clear before the alert resolves. */
            keep_firing_minutes?: number | null;
            severity?: ("critical" | "warning" | "info") | null;
            thresholds?: components["schemas"]["Level"][] | null;
            overrides?: components["schemas"]["Override"][] | null;
            scope?: components["schemas"]["RuleSelector"] | null;
            no_data?: {
                /**
                 * @description What happens when the metric stays away: nothing, an alert, or that its alert resolves.
                 * @default keep_state
                 * @enum {string}
                 */
                policy?: "keep_state" | "alert" | "resolve";
                /**
                 * @description After how many minutes the metric counts as staying away.
                 * @default 10
                 */
                after_minutes?: number;
            } | null;
            /** @description Minutes after which channels are notified again of an active alert; null is never. */
            renotify_minutes?: number | null;
            /** @description Where alerts are notified: `default` (the default channels of all kinds), kinds (the default channel of that kind) or ids of channels. Without any, nobody is notified. */
            channels?: string[] | null;
            /** @description What to do about it. */
            runbook_url?: string | null;
        };
        /** @description What is said along with the action. */
        AlertAction: {
            /**
             * @description Kept in the alert's `comments`, at most 100 of them; the same text of the same key once.
             * @default null
             */
            comment?: string | null;
        };
        /** @description What is said about an alert. */
        AlertComment: {
            /** @description Kept in the alert's `comments`, at most 100 of them; the same text of the same key once. */
            comment: string;
        };
        /** @description What is to be investigated: an alert, or a service in a window. */
        InvestigationInput: {
            /**
             * @description What is to be explained; or else `service_id`.
             * @default null
             */
            alert_id?: ((string | null) | null) | string | null;
            /**
             * @description Which host is to be looked at; or else `alert_id`.
             * @default null
             */
            service_id?: ((string | null) | null) | string | null;
            /**
             * @description The metric of the service that it is about; null: the host altogether. An alert has its own.
             * @default null
             */
            metric?: string | null;
            /**
             * Format: date-time
             * @description Start of the window, a minute to 24 hours before its end; by default an hour, or what an alert asks for.
             */
            from?: string;
            /**
             * Format: date-time
             * @description End of the window, by default now; what is later than now is taken for now.
             */
            to?: string;
            /**
             * @description What is asked, in words.
             * @default null
             */
            question?: string | null;
        } & ({
            alert_id: string;
        } | {
            service_id: string;
        });
        /** @description What people say of an investigation. */
        InvestigationFeedbackInput: {
            /** @description Whether it helped. */
            helpful: boolean;
            /**
             * @description What it was, in words; null where nothing is said.
             * @default null
             */
            actual_root_cause?: string | null;
            /** @default null */
            comment?: string | null;
        };
        /** @description A marker as it is created. */
        MarkerInput: {
            /** @description What was done. */
            title: string;
            /**
             * Format: date-time
             * @description When it was done, at most 24 hours ahead; by default now.
             */
            at?: string;
            /**
             * @description The hosts that it concerns; `{}` is all.
             * @default {}
             */
            selector?: components["schemas"]["Selector"];
            /**
             * @description Anything about it, such as a version.
             * @default {}
             */
            tags?: {
                [key: string]: string;
            };
        };
        /** @description Chooses hosts: every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent. */
        Selector: {
            /** @description Patterns of host names, of which one must match. */
            hosts?: string[];
            /** @description Tag names to a pattern or a list of patterns of their values. Every tag must match. */
            tags?: {
                [key: string]: string | string[];
            };
        };
        /** @description A silence as it is created. */
        SilenceInput: {
            matchers: components["schemas"]["SilenceMatchersInput"];
            /**
             * Format: date-time
             * @description RFC 3339 date and time; UTC where it has no offset, cut to milliseconds.
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339 date and time; UTC where it has no offset, cut to milliseconds.
             */
            until: string;
            /**
             * @description A recurrence rule (RFC 5545, without `DTSTART`) that repeats the window from `from` to `until`; null: once.
             * @default null
             */
            recurrence?: string | null;
            /**
             * @description IANA time zone by whose wall clock the silence recurs.
             * @default UTC
             */
            timezone?: string;
            /**
             * @description Why.
             * @default
             */
            comment?: string;
        };
        /** @description Which alerts are muted: every matcher that is not empty must match, any entry of a list may, `*` matches any run of characters. At least one must not be empty. */
        SilenceMatchersInput: {
            /** @default [] */
            hosts?: string[];
            /**
             * @description Tag names to a pattern or a list of patterns of their values. Every tag must match.
             * @default {}
             */
            tags?: {
                [key: string]: string | string[];
            };
            /**
             * @description Rules, of which one must match.
             * @default []
             */
            rule_ids?: string[];
            /**
             * @description Severities, of which one must match.
             * @default []
             */
            severities?: ("critical" | "warning" | "info")[];
            /**
             * @description Subjects, of which one must match.
             * @default []
             */
            subjects?: components["schemas"]["SubjectPattern"][];
        } | {
            hosts: unknown[];
        } | {
            rule_ids: unknown[];
        } | {
            severities: unknown[];
        } | {
            subjects: unknown[];
        } | {
            tags: unknown;
        };
        /** @description Chooses subjects by kind and name. */
        SubjectPattern: {
            /** @enum {string} */
            kind: "host" | "container" | "process" | "part";
            /** @description Pattern of names: `*` matches any run of characters. A part is named by its kind, a colon and its name, such as `filesystem:/var*`. */
            name: string;
        };
        /** @description The matchers of a silence that may be created. */
        SilencePreviewInput: {
            matchers: components["schemas"]["SilenceMatchersInput"];
        };
        /** @description A channel as it is created. */
        ChannelInput: {
            /** @constant */
            kind: "slack";
            /** @description Name for people. */
            name: string;
            /**
             * @description Whether rules that name the kind alone mean this channel; the first of a kind always is.
             * @default false
             */
            is_default?: boolean;
            /**
             * @description Whether anything is sent.
             * @default true
             */
            enabled?: boolean;
            config: components["schemas"]["SlackConfigInput"];
        } | {
            /** @constant */
            kind: "email";
            /** @description Name for people. */
            name: string;
            /**
             * @description Whether rules that name the kind alone mean this channel; the first of a kind always is.
             * @default false
             */
            is_default?: boolean;
            /**
             * @description Whether anything is sent.
             * @default true
             */
            enabled?: boolean;
            config: components["schemas"]["EmailConfigInput"];
        } | {
            /** @constant */
            kind: "webhook";
            /** @description Name for people. */
            name: string;
            /**
             * @description Whether rules that name the kind alone mean this channel; the first of a kind always is.
             * @default false
             */
            is_default?: boolean;
            /**
             * @description Whether anything is sent.
             * @default true
             */
            enabled?: boolean;
            config: components["schemas"]["WebhookConfigInput"];
        } | {
            /** @constant */
            kind: "pagerduty";
            /** @description Name for people. */
            name: string;
            /**
             * @description Whether rules that name the kind alone mean this channel; the first of a kind always is.
             * @default false
             */
            is_default?: boolean;
            /**
             * @description Whether anything is sent.
             * @default true
             */
            enabled?: boolean;
            config: components["schemas"]["PagerdutyConfigInput"];
        };
        /** @description An incoming webhook, or a bot. */
        SlackConfigInput: {
            /** Format: uri */
            webhook_url: string;
        } | {
            /** @description Token of a bot that may write into the conversation. */
            bot_token: string;
            channel: string;
            /** Format: uri */
            api_url?: string;
        };
        /** @description Who gets it. */
        EmailConfigInput: {
            to: string[];
        };
        /** @description A receiver of signed events. */
        WebhookConfigInput: {
            /**
             * Format: uri
             * @description Where events are posted to. Private addresses are refused, names that lead to them when something is sent, unless the installation allows them (`TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS`).
             */
            url: string;
            /**
             * @description What deliveries are signed with, as `webhooks` of this document says: `whsec_` and 24 to 64 bytes in base64. Without one it is made and shown once.
             * @default null
             */
            secret?: string | null;
            /**
             * @description Sent with every delivery.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description The events that it receives: of alerts, if a rule names the channel; all others, if they are listed here.
             * @default [
             *       "alert.fired",
             *       "alert.escalated",
             *       "alert.resolved",
             *       "alert.renotified",
             *       "alert.flapping",
             *       "alert.silence_ended",
             *       "alert.digest"
             *     ]
             */
            events?: ("alert.fired" | "alert.escalated" | "alert.flapping" | "alert.resolved" | "alert.renotified" | "alert.acknowledged" | "alert.silence_ended" | "alert.digest" | "service.registered" | "service.offline" | "service.online" | "service.archived" | "service.deleted" | "rule.created" | "rule.updated" | "rule.deleted" | "investigation.started" | "investigation.progressed" | "investigation.completed" | "investigation.failed" | "investigation.cancelled" | "silence.created" | "silence.ended" | "channel.created" | "channel.updated" | "channel.deleted" | "notification.failed" | "key.created" | "key.rotated" | "key.revoked" | "pipeline.delayed" | "pipeline.recovered")[];
        };
        /** @description A service of PagerDuty, by Events API v2. */
        PagerdutyConfigInput: {
            /** @description The integration key. */
            routing_key: string;
            /** Format: uri */
            api_url?: string;
        };
        /** @description A JSON merge patch (RFC 7396). */
        ChannelPatch: {
            /** @description Name for people. */
            name?: string;
            is_default?: boolean;
            enabled?: boolean;
            /** @description Fields to change; a masked value that is sent back as it was read keeps the secret. */
            config?: {
                [key: string]: unknown;
            };
        };
        /** @description A key as it is created. */
        KeyInput: {
            /** @description What people call it. */
            name: string;
            /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
            scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            /** @description Until when it works; null: until it is revoked. */
            expires_at?: string | null;
            /**
             * @description Requests a minute; null: the default of the installation.
             * @default null
             */
            rate_limit_per_minute?: number | null;
            /**
             * @description Patterns of the hosts that it may report for, `*` matching any run of characters; null: any.
             * @default null
             */
            hosts?: string[] | null;
        };
        /** @description How a key is rotated. */
        KeyRotation: {
            /**
             * @description Hours for which the former key goes on working.
             * @default 24
             */
            grace_hours?: number;
        };
        /** @description A key, or the secret of a sign-in link: exactly one of both. */
        SignIn: {
            /** @description The text of the key. */
            key?: string;
            /** @description The secret of a sign-in link: what follows `#link=`. */
            link?: string;
            /**
             * @description Whether the session gets the scope `read` alone.
             * @default false
             */
            read_only?: boolean;
        };
        /** @description The key of the session. */
        SessionConfirmation: {
            /** @description The text of the key. */
            key: string;
        };
        /** @description A sign-in link as it is created. */
        SignInLinkInput: {
            /**
             * @description Whom it signs in: a `person`, or a `display`, which only reads and stays signed in for a year.
             * @default person
             * @enum {string}
             */
            kind?: "person" | "display";
            /** @description Whom or what it is for. */
            name: string;
            /** @description What the session may do: what the key that makes the link may do, or less. Of a display `read`. */
            scopes: ("read" | "write" | "admin" | "operator")[];
            /**
             * Format: date-time
             * @description Until when it works, at most seven days from now; 15 minutes from now by default.
             */
            expires_at?: string;
        };
        /** @description A sign-in with the identity provider as it begins. */
        SignOnInput: {
            /**
             * @description `sign_in`, or `confirm` to let the session that asks use its privileged scopes for another time; the user then has to sign in again.
             * @default sign_in
             * @enum {string}
             */
            purpose?: "sign_in" | "confirm";
            /**
             * @description The page of the console that opens afterwards, a path of this origin.
             * @default /
             */
            to?: string;
            /**
             * @description Whether the session gets the scope `read` alone.
             * @default false
             */
            read_only?: boolean;
        };
        /** @description An organization as it is created. */
        OrganizationInput: {
            /** @description What people call it. */
            name: string;
        };
        /**
         * Format: date-time
         * @description RFC 3339, in UTC with milliseconds.
         */
        Timestamp: string;
        /** @description A breach of one rule by one subject, from the moment it fires. */
        Alert: {
            /** @description Identifier of an alert. */
            id: string;
            /** @description Identifier of an alert rule. */
            rule_id: string;
            /** @description The rule's name when it fired. */
            rule_name: string;
            /** @description The rule's version that evaluated the alert last. */
            rule_version: number;
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            subject: components["schemas"]["Subject"];
            /**
             * @description `active` is firing and recovering.
             * @enum {string}
             */
            status: "active" | "resolved";
            /**
             * @description `recovering` is clear, but not yet for `keep_firing_minutes`.
             * @enum {string}
             */
            state: "firing" | "recovering" | "resolved";
            /**
             * @description How bad a breach is.
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            metric: string;
            /**
             * @description How the value is compared with the threshold. `between` and `not_between` include both thresholds in the range.
             * @enum {string}
             */
            condition: "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "equal" | "not_equal" | "between" | "not_between";
            threshold: number | null;
            threshold_max: number | null;
            /** @description The last value evaluated. */
            value: number | null;
            /** @description The value of the sample that fired it. */
            value_at_fire: number | null;
            /** @description The most extreme value while active, in the condition's direction. */
            peak_value: number | null;
            /** @description One sentence, host first. */
            summary: string;
            /** @description Time of the first sample of the breach. */
            pending_since: components["schemas"]["Timestamp"] | null;
            /** @description Time of the sample that fired it. */
            fired_at: components["schemas"]["Timestamp"];
            /** @description Time of the sample, or of the event, that resolved it. */
            resolved_at: components["schemas"]["Timestamp"] | null;
            resolution: ("recovered" | "no_data" | "manual" | "rule_deleted" | "rule_disabled" | "rule_changed" | "service_deleted" | "service_archived" | "subject_gone") | null;
            acknowledged_at: components["schemas"]["Timestamp"] | null;
            acknowledged_by: components["schemas"]["Actor"] | null;
            /** @description The silence that mutes it now, or did when it ended; null where none does. */
            silenced_by: string | null;
            /** @description How often it breached again while recovering. */
            flap_count: number;
            /** @description Fired on a sample that was more than 15 minutes old when it was received. It is not notified until a fresh sample breaches. */
            backfilled: boolean;
            /** @description Of a rule that is only tried out. */
            shadow: boolean;
            /** @description Fired because the metric stayed away. */
            no_data: boolean;
            context: components["schemas"]["AlertContext"];
            notifications: components["schemas"]["AlertNotification"][];
            comments: components["schemas"]["Comment"][];
            investigation_id: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The host itself, one of its containers or parts, or its processes of one name. */
        Subject: {
            /** @enum {string} */
            kind: "host" | "container" | "process" | "part";
            /** @description Name; of a part its kind, a colon and its own name, such as `filesystem:/var`. */
            name: string;
        };
        /** @description The key that did something. */
        Actor: {
            /** @description Identifier of an API key. */
            key_id: string;
            name: string;
            /** @description The session that acted for the key; absent where the key itself was sent. */
            session_id?: string;
        };
        /** @description The top processes and containers of the sample that fired the alert. */
        AlertContext: {
            processes: components["schemas"]["Process"][];
            containers: components["schemas"]["Container"][];
        };
        /** @description A process of the newest payload that carried processes. */
        Process: {
            name: string;
            pid: number;
            /** @description Percent of one core. */
            cpu_percent: number | null;
            /** @description Resident set size, bytes. */
            memory_rss: number | null;
        };
        /** @description A container of the newest payload that carried containers. */
        Container: {
            name: string;
            image: string | null;
            status: string | null;
            /** @description Result of the runtime's health check. */
            health: string | null;
            /** @description Percent. */
            cpu_percent: number | null;
            /** @description Bytes. */
            memory_usage: number | null;
        };
        /** @description How one channel was notified. */
        AlertNotification: {
            /** @description Identifier of a notification. */
            id: string;
            channel: components["schemas"]["NotifiedChannel"];
            /**
             * @description What the notification is about. `digest` covers several alerts at once, `event` is another event that the channel subscribed to.
             * @enum {string}
             */
            transition: "fired" | "escalated" | "resolved" | "renotified" | "flapping" | "silence_ended" | "digest" | "event";
            /**
             * @description `queued` waits for its attempt, its next one, or the end of the window that its digest gathers in.
             * @enum {string}
             */
            status: "queued" | "delivered" | "failed" | "suppressed" | "not_configured";
            /** @description Why nothing is sent, where it is `suppressed` or `not_configured`. Once the reason has passed while the alert is active, another notification is sent. */
            reason: ("backfilled" | "shadow" | "too_old" | "silenced" | "host_offline" | "flapping" | "firing_not_notified" | "not_subscribed" | "no_default" | "channel_deleted" | "channel_disabled") | null;
            /** @description How often it was sent. */
            attempts: number;
            /** @description What the last attempt failed with; null once it is delivered. */
            last_error: string | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description When the destination took it. */
            sent_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description A channel as it was called then; id and name are null where a kind had no default. */
        NotifiedChannel: {
            id: string | null;
            /** @enum {string} */
            kind: "slack" | "email" | "webhook" | "pagerduty";
            name: string | null;
        };
        /** @description What somebody said about the alert. */
        Comment: {
            at: components["schemas"]["Timestamp"];
            by: components["schemas"]["Actor"];
            text: string;
        };
        /** @description Why a service has its status. */
        StatusReason: {
            /** @enum {string} */
            code: "critical_alert" | "warning_alert" | "silent" | "silenced" | "clock_skew" | "pipeline_delayed";
            message: string;
            alert_id: string | null;
        };
        /** @description One message to one channel, about one alert or several. */
        Notification: {
            /** @description Identifier of a notification. */
            id: string;
            /** @description What receivers recognise a second sending by. */
            event_id: string;
            alert_ids: string[];
            /** @description The first 5 of these alerts as they are now, in the order of their ids. Alerts that are no longer kept are missing. */
            alerts: components["schemas"]["NamedAlert"][];
            channel: components["schemas"]["NotifiedChannel"];
            /**
             * @description What the notification is about. `digest` covers several alerts at once, `event` is another event that the channel subscribed to.
             * @enum {string}
             */
            transition: "fired" | "escalated" | "resolved" | "renotified" | "flapping" | "silence_ended" | "digest" | "event";
            /**
             * @description `queued` waits for its attempt, its next one, or the end of the window that its digest gathers in.
             * @enum {string}
             */
            status: "queued" | "delivered" | "failed" | "suppressed" | "not_configured";
            /** @description Why nothing is sent, where it is `suppressed` or `not_configured`. Once the reason has passed while the alert is active, another notification is sent. */
            reason: ("backfilled" | "shadow" | "too_old" | "silenced" | "host_offline" | "flapping" | "firing_not_notified" | "not_subscribed" | "no_default" | "channel_deleted" | "channel_disabled") | null;
            /** @description How often it was sent. */
            attempts: number;
            /** @description What the last attempt failed with; null once it is delivered. */
            last_error: string | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description When the destination took it. */
            sent_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description What an alert is about, in few words. */
        NamedAlert: {
            /** @description Identifier of an alert. */
            id: string;
            host: string;
            rule_name: string;
            /** @enum {string} */
            severity: "critical" | "warning" | "info";
            /** @description One sentence, host first. */
            summary: string;
        };
        /** @description The host itself, one of its containers or parts, its processes of one name, or a tag as `name=value` that hosts share. */
        FindingSubject: {
            /** @enum {string} */
            kind: "host" | "container" | "process" | "part" | "tag";
            name: string;
        };
        /** @description Mutes alerts that fire while it is active. */
        Silence: {
            /** @description Identifier of a silence. */
            id: string;
            matchers: components["schemas"]["SilenceMatchers"];
            /** @description When it begins, or when its first window does. */
            from: components["schemas"]["Timestamp"];
            /** @description When it ends, or when its first window does. */
            until: components["schemas"]["Timestamp"];
            /** @description A recurrence rule (RFC 5545, without `DTSTART`) that repeats the window from `from` to `until`; null: once. */
            recurrence: string | null;
            /** @description IANA time zone by whose wall clock the silence recurs. */
            timezone: string;
            /** @description Why. */
            comment: string;
            /**
             * @description A recurring silence is `active` within a window and `scheduled` between two.
             * @enum {string}
             */
            status: "scheduled" | "active" | "expired";
            created_at: components["schemas"]["Timestamp"];
            created_by: components["schemas"]["Actor"];
        };
        /** @description Which alerts are muted; what is empty asks for nothing. */
        SilenceMatchers: {
            hosts: string[];
            /** @description Tag names to a pattern or a list of patterns of their values. Every tag must match. */
            tags: {
                [key: string]: string | string[];
            };
            /** @description Rules, of which one must match. */
            rule_ids: string[];
            /** @description Severities, of which one must match. */
            severities: ("critical" | "warning" | "info")[];
            subjects: components["schemas"]["Subject"][];
        };
        /** @description What became of the payloads. */
        IngestAnswer: {
            /**
             * @description Every accepted payload is durable.
             * @constant
             */
            status: "ok";
            /** @description Number of payloads accepted. */
            events_accepted: number;
            /** @description With `Prefer: handling=lenient`: number of payloads refused. */
            events_rejected?: number;
            /** @description With `Prefer: handling=lenient`: the faults of the refused payloads, at most a hundred. */
            errors?: {
                /** @description JSON Pointer (RFC 6901) into the body, or `/name` of a parameter or header. Lines of NDJSON are numbered from 0 as in an array, empty ones left out. A missing member is named as if it were there. */
                path: string;
                /** @description What is wrong, for programs. */
                code: string;
                /** @description What is wrong, for people. */
                message: string;
            }[];
            /** @description With `Prefer: warnings`: what of the payloads is ignored, at most twenty; empty where nothing is. */
            warnings?: components["schemas"]["IngestWarning"][];
            receipt?: components["schemas"]["IngestReceipt"];
        };
        /** @description Something that ingest ignores. */
        IngestWarning: {
            /**
             * @description `unknown_field`: a field that the payload, or a process, does not have. `not_numeric`: a further field of a container that is no number. `empty_metrics`: a payload without metrics, containers and processes, which counts as a heartbeat.
             * @enum {string}
             */
            code: "unknown_field" | "not_numeric" | "empty_metrics";
            /** @description JSON Pointer of the field in the first payload that has it. */
            path: string;
            /** @description How many payloads of the request have it. */
            payloads: number;
            message: string;
        };
        /** @description With `Prefer: return=representation`: where the payloads went. */
        IngestReceipt: {
            /** @description Identifier of a receipt of ingest. */
            id: string;
            /** @description Where the payloads were made durable. */
            records: {
                /** @description Topic of Kafka, in the distributed topology; `partition` and `offset` with it. */
                topic?: string;
                partition?: number;
                offset?: string;
                /** @description In one process, instead: the database transaction that stored the payloads. */
                transaction?: string;
            }[];
        };
        /** @description What went wrong (RFC 9457). */
        Problem: {
            /** @description Address of a page about the problem. */
            type: string;
            /** @description The kind of problem in a few words. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened in this case. */
            detail: string;
            /** @description The path that was asked for. */
            instance: string;
            /**
             * @description The kind of problem, from a closed list.
             * @enum {string}
             */
            code: "key_missing" | "key_invalid" | "key_expired" | "key_revoked" | "session_ended" | "sign_in_link_invalid" | "sign_in_link_expired" | "sign_in_link_used" | "sign_on_expired" | "sign_on_refused" | "sign_on_not_permitted" | "key_sign_in_off" | "scope_missing" | "confirmation_needed" | "cross_site" | "host_not_allowed" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "alert_resolved" | "last_admin_key" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "unsupported_content_encoding" | "expectation_failed" | "validation_failed" | "unsupported" | "limit_reached" | "series_limit" | "rate_limited" | "samples_limited" | "too_many_refusals" | "export_running" | "preview_running" | "investigations_queued" | "too_many_streams" | "organization_busy" | "headers_too_large" | "bad_request" | "internal_error" | "bad_gateway" | "identity_provider_unavailable" | "ingest_unavailable" | "database_unavailable" | "secrets_unreadable" | "storage_full" | "overloaded" | "streams_full" | "shutting_down";
            /** @description The same as X-Request-Id. */
            request_id: string;
            /** @description The faults, at most a hundred; empty where the request itself is sound. */
            errors: components["schemas"]["Fault"][];
        };
        /** @description One fault of a request. */
        Fault: {
            /**
             * @description The part of the request that is at fault.
             * @enum {string}
             */
            in: "body" | "query" | "path" | "header";
            /** @description JSON Pointer (RFC 6901) into the body, or `/name` of a parameter or header. Lines of NDJSON are numbered from 0 as in an array, empty ones left out. A missing member is named as if it were there. */
            path: string;
            /** @description What is wrong, for programs. */
            code: string;
            /** @description What is wrong, for people. */
            message: string;
        };
        /** @description What became of the payloads of one request. */
        TracedIngestReceipt: {
            /** @description Identifier of a receipt of ingest. */
            id: string;
            /** @description When the payloads were durable. */
            accepted_at: components["schemas"]["Timestamp"];
            records: {
                /** @description Topic of Kafka, in the distributed topology; `partition` and `offset` with it. */
                topic?: string;
                partition?: number;
                offset?: string;
                /** @description In one process, instead: the database transaction that stored the payloads. */
                transaction?: string;
                /** @description When the samples were stored; null until they are. */
                stored_at: components["schemas"]["Timestamp"] | null;
                /** @description When rules evaluated them; null before that. */
                evaluated_at: components["schemas"]["Timestamp"] | null;
                /** @description Given up for good; null unless they were. */
                dead_lettered: {
                    /** @description `unreadable`, `cannot_be_stored` or `cannot_be_evaluated`. */
                    reason: string;
                    at: components["schemas"]["Timestamp"];
                } | null;
            }[];
        };
        /** @description Services by name. */
        ServicesPage: {
            services: components["schemas"]["Service"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A host that reported. */
        Service: {
            /** @description Identifier of a service. */
            id: string;
            /** @description Name of the host. */
            name: string;
            /**
             * @description `degraded`: a warning alert is active; `critical`: a critical one is; `offline`: silent for max(3 × its usual interval, 3 minutes); `maintenance`: silenced; `archived`: offline for days and out of the lists.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "critical" | "offline" | "maintenance" | "archived";
            status_reasons: components["schemas"]["StatusReason"][];
            /** @description Since when it has this status. */
            status_since: components["schemas"]["Timestamp"];
            /** @description When the server last received a payload from it, by the server's clock. */
            last_seen: components["schemas"]["Timestamp"];
            /** @description The newest tags. */
            tags: {
                [key: string]: string;
            };
            active_alerts: components["schemas"]["ActiveAlerts"];
            metrics: components["schemas"]["HeadlineMetrics"];
        };
        /** @description How many alerts are active, by severity. */
        ActiveAlerts: {
            critical: number;
            warning: number;
            info: number;
        };
        /** @description Latest values by sample time; null where never reported. */
        HeadlineMetrics: {
            cpu_percent: number | null;
            memory_percent: number | null;
            disk_percent: number | null;
        };
        /** @description Where in the list this page is. Every order ends in the id, so no entry is skipped or repeated. */
        Pagination: {
            /** @description Exact number of entries in all pages. */
            total: number;
            /** @description Entries in a page. */
            limit: number;
            /** @description Entries before this page; null when paging by cursor. */
            offset: number | null;
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Offset of the next page; null on the last one and when paging by cursor. */
            next_offset: number | null;
            /** @description Cursor of the next page; null on the last one. */
            next_cursor: string | null;
        };
        /** @description Groups of services by value, with `group_by`. */
        ServiceGroupsPage: {
            groups: components["schemas"]["ServiceGroup"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The services that share a value of a tag. */
        ServiceGroup: {
            /** @description The value of the tag; null for hosts without it. */
            value: string | null;
            services: number;
            /**
             * @description The worst status of the group.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "critical" | "offline" | "maintenance" | "archived";
            statuses: components["schemas"]["StatusCounts"];
            metrics: components["schemas"]["MeanMetrics"];
        };
        /** @description How many services have each status. */
        StatusCounts: {
            healthy: number;
            degraded: number;
            critical: number;
            offline: number;
            maintenance: number;
        };
        /** @description Means of the latest values, at most half a second behind them; null where no host reports the metric. */
        MeanMetrics: {
            cpu_percent: number | null;
            memory_percent: number | null;
            disk_percent: number | null;
        };
        /** @description All hosts that are not archived, by name, as columns. */
        FleetSnapshot: {
            /** @description When the hosts were read, by the server's clock. */
            as_of: components["schemas"]["Timestamp"];
            /** @description The `since` of the next request with the same `tags`. */
            token: string;
            /** @description Whether these are all hosts, so that hosts of earlier snapshots that are absent here have left. */
            full: boolean;
            columns: components["schemas"]["FleetColumns"];
            /** @description A column for each name in `tags`. */
            tags: {
                [key: string]: components["schemas"]["TagColumn"];
            };
            /** @description Hosts that have left since the token: deleted or archived. Empty in a full snapshot. */
            removed: string[];
        };
        /** @description A column for each field of a service, by the names that the list of services has for them; entry `n` of each belongs to the same host. */
        FleetColumns: {
            id: string[];
            /** @description Names of the hosts. */
            name: string[];
            status: ("healthy" | "degraded" | "critical" | "offline" | "maintenance" | "archived")[];
            status_since: components["schemas"]["Timestamp"][];
            last_seen: components["schemas"]["Timestamp"][];
            cpu_percent: (number | null)[];
            memory_percent: (number | null)[];
            disk_percent: (number | null)[];
            /** @description Active alerts of each severity. */
            critical: number[];
            warning: number[];
            info: number[];
        };
        /** @description A tag of each host. */
        TagColumn: {
            /** @description Distinct values of the tag. */
            values: string[];
            /** @description For each host the position of its value in `values`; null for hosts without the tag. */
            index: (number | null)[];
        };
        /** @description A host that reported, in full. */
        ServiceDetail: {
            /** @description Identifier of a service. */
            id: string;
            /** @description Name of the host. */
            name: string;
            /**
             * @description `degraded`: a warning alert is active; `critical`: a critical one is; `offline`: silent for max(3 × its usual interval, 3 minutes); `maintenance`: silenced; `archived`: offline for days and out of the lists.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "critical" | "offline" | "maintenance" | "archived";
            status_reasons: components["schemas"]["StatusReason"][];
            /** @description Since when it has this status. */
            status_since: components["schemas"]["Timestamp"];
            /** @description When the server last received a payload from it, by the server's clock. */
            last_seen: components["schemas"]["Timestamp"];
            /** @description The newest tags. */
            tags: {
                [key: string]: string;
            };
            active_alerts: components["schemas"]["ActiveAlerts"];
            host: string;
            first_seen: components["schemas"]["Timestamp"];
            /** @description Usual time between its payloads; null until it is known. */
            interval_seconds: number | null;
            /** @description How many seconds its clock is ahead, below 0 where it is behind; null where it is right within 2 minutes. */
            clock_skew_seconds: number | null;
            /** @description The latest value of every metric, by sample time. */
            metrics: {
                [key: string]: number;
            };
            /** @description The times of these values. */
            metric_times: {
                [key: string]: components["schemas"]["Timestamp"];
            };
            /** @description The containers of the newest payload that carried them. */
            containers: {
                name: string;
                image: string | null;
                status: string | null;
                /** @description Result of the runtime's health check. */
                health: string | null;
                /** @description Percent. */
                cpu_percent: number | null;
                /** @description Bytes. */
                memory_usage: number | null;
                time: components["schemas"]["Timestamp"];
            }[];
            /** @description The processes of the newest payload that carried them; `time` is null where none did. */
            processes: {
                time: components["schemas"]["Timestamp"] | null;
                list: components["schemas"]["Process"][];
            };
            /** @description The parts by kind and name, with their latest values, also those that the newest payload does not have. A part without samples for a day, by the clock of the host, is left out; its series stay. */
            parts: components["schemas"]["Part"][];
            /** @description The active alerts, newest first, as the list of alerts has them. */
            alerts: components["schemas"]["Alert"][];
        };
        /** @description A part of a host, such as a filesystem, a disk or a unit. */
        Part: {
            kind: string;
            name: string;
            labels: {
                [key: string]: string;
            };
            /** @description The latest value of every metric, by sample time. */
            metrics: {
                [key: string]: number;
            };
            /** @description The time of the newest of these values. */
            time: components["schemas"]["Timestamp"];
        };
        /** @description A service's metrics over `[from, to)`. */
        SeriesAnswer: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            subject: components["schemas"]["SeriesSubject"];
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            step_seconds: number;
            /**
             * @description What the steps were computed from, chosen by step, range and retention.
             * @enum {string}
             */
            tier: "raw" | "1m" | "1h" | "1d";
            series: components["schemas"]["Series"][];
        };
        /** @description The host itself, one of its containers, or one of its parts by kind and name: `filesystem:/var`. */
        SeriesSubject: {
            /** @enum {string} */
            kind: "host" | "container" | "part";
            name: string;
        };
        /** @description One metric over time. */
        Series: {
            metric: string;
            /** @description The metric's unit, which follows from its name; null where the name implies none. */
            unit: ("percent" | "bytes" | "seconds" | "milliseconds" | "per second" | "count") | null;
            /** @description Steps in order; those without samples are left out. */
            points: components["schemas"]["Point"][];
        };
        /** @description What the samples of one step come to. */
        Point: {
            /** @description Start of the step, aligned to UTC. */
            t: components["schemas"]["Timestamp"];
            avg: number;
            min: number;
            max: number;
            /** @description Samples in the step. */
            count: number;
        };
        /** @description Processes, containers and parts of a host at a time. */
        ServiceSnapshot: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            at: components["schemas"]["Timestamp"];
            /** @description The processes of the newest payload at or before `at` that carried them. */
            processes: {
                /** @description Time of that payload; null where none is kept. */
                time: components["schemas"]["Timestamp"] | null;
                list: components["schemas"]["Process"][];
            };
            /** @description The containers of the newest payload at or before `at` that carried them. */
            containers: {
                /** @description Time of that payload; null where none is kept. */
                time: components["schemas"]["Timestamp"] | null;
                list: components["schemas"]["Container"][];
            };
            /** @description The parts of the newest payload at or before `at` that carried them, by kind and name, as far as raw samples are kept. */
            parts: {
                /** @description Time of that payload; null where none is kept. */
                time: components["schemas"]["Timestamp"] | null;
                list: components["schemas"]["PartAt"][];
            };
        };
        /** @description A part of a host as a payload had it. */
        PartAt: {
            kind: string;
            name: string;
            /** @description The labels of now: earlier ones are not kept. */
            labels: {
                [key: string]: string;
            };
            /** @description The values of that payload. */
            metrics: {
                [key: string]: number;
            };
        };
        /** @description What changed about a host within `[from, to)`. */
        ServiceChanges: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /** @description Changes by time, the oldest first. */
            changes: components["schemas"]["ServiceChange"][];
        };
        /** @description Something that people or their tools did. */
        ServiceChange: {
            /** @enum {string} */
            kind: "marker" | "tag" | "rule";
            /** @description The marker or the rule; null for tags. */
            id: string | null;
            at: components["schemas"]["Timestamp"];
            /** @description What changed, in one line. */
            title: string;
            /** @description Tags of the marker, or of the host after the change; empty for a rule. */
            tags: {
                [key: string]: string;
            };
        };
        /** @description Parts of hosts, in the order that was asked for. */
        PartsPage: {
            parts: components["schemas"]["HostPart"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A part of a host, with the host that has it. */
        HostPart: {
            /** @description Identifier of a service. */
            service_id: string;
            /** @description Name of the host. */
            host: string;
            kind: string;
            name: string;
            labels: {
                [key: string]: string;
            };
            /** @description The latest value of every metric, by sample time. */
            metrics: {
                [key: string]: number;
            };
            /** @description The time of the newest of these values. */
            time: components["schemas"]["Timestamp"];
        };
        /** @description Metrics by name. */
        MetricsPage: {
            metrics: components["schemas"]["Metric"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A metric that hosts report, of themselves or of their parts. */
        Metric: {
            name: string;
            /** @description The metric's unit, which follows from its name; null where the name implies none. */
            unit: ("percent" | "bytes" | "seconds" | "milliseconds" | "per second" | "count") | null;
            /** @description How many services report it. */
            services: number;
        };
        /** @description One metric of many hosts over `[from, to)`. */
        FleetAnswer: {
            metric: string;
            /** @description The metric's unit, which follows from its name; null where the name implies none. */
            unit: ("percent" | "bytes" | "seconds" | "milliseconds" | "per second" | "count") | null;
            /**
             * @description What the hosts or parts of a group come to in a step, of each its average there; `count` is how many have samples. Percentiles lie on a straight line between the two nearest.
             * @enum {string}
             */
            aggregate: "avg" | "min" | "max" | "sum" | "count" | "p5" | "p50" | "p95" | "p99";
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            step_seconds: number;
            /**
             * @description What the steps were computed from, chosen by step, range and retention.
             * @enum {string}
             */
            tier: "raw" | "1m" | "1h" | "1d";
            /** @description How many of the chosen hosts have the metric, or parts with it. */
            services: number;
            /** @description How many parts of these hosts have the metric. */
            parts: number;
            /** @description By group, hosts without the tag last; with `top` by rank. */
            series: components["schemas"]["FleetSeries"][];
        };
        /** @description One metric of a group of hosts over time. */
        FleetSeries: {
            /** @description The value of the tag, or what `by` says; with `top` alone the host, or the host and its part. Null for hosts without the tag, and for all. */
            group: string | null;
            /** @description The host, where the group is of one host. */
            host: string | null;
            /** @description Kind and name of the part, such as `filesystem:/var`, where the group is of one. */
            part: string | null;
            /** @description Steps in order; those without samples are left out. */
            points: components["schemas"]["FleetPoint"][];
        };
        /** @description What hosts come to in one step. */
        FleetPoint: {
            /** @description Start of the step, aligned to UTC. */
            t: components["schemas"]["Timestamp"];
            value: number;
        };
        /** @description Rules by creation, oldest first. */
        RulesPage: {
            rules: components["schemas"]["Rule"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An alert rule. */
        Rule: {
            /** @description Identifier of an alert rule. */
            id: string;
            /**
             * @description The rule's name in the system that manages it.
             * @default null
             */
            external_id: string | null;
            /** @description Name for people. */
            name: string;
            /**
             * @description What the rule is for.
             * @default null
             */
            description: string | null;
            /**
             * @description Whether the rule is evaluated.
             * @default true
             */
            enabled: boolean;
            /**
             * @description A rule in `shadow` is evaluated and records alerts, but notifies no channel and affects no health.
             * @default active
             * @enum {string}
             */
            mode: "active" | "shadow";
            /** @description Name of the metric that is evaluated. `container.` and a field of containers evaluates each container separately, `process.cpu_percent`, `process.memory_rss` and `process.count` evaluate all processes of one name together, `container.running` and `container.unhealthy` are 1 or 0, a kind of parts with a full stop and one of their metrics (`filesystem.used_percent`) evaluates each part of this kind separately, as well as a metric of hosts of this name, and `host.silent_minutes` is the number of minutes since a host was last seen. */
            metric: string;
            /**
             * @description Evaluates a derived value; null is the sample.
             * @default null
             */
            transform: components["schemas"]["TransformOutput"] | null;
            /**
             * @description How the value is compared with the threshold. `between` and `not_between` include both thresholds in the range.
             * @enum {string}
             */
            condition: "greater_than" | "greater_than_or_equal" | "less_than" | "less_than_or_equal" | "equal" | "not_equal" | "between" | "not_between";
            /**
             * @description Limit that the value is compared with. Required unless `thresholds` is given.
             * @default null
             */
            threshold: number | null;
            /**
             * @description Upper limit of `between` and `not_between`, which need it; null for the others.
             * @default null
             */
            threshold_max: number | null;
            /**
             * @description What the value must pass for the alert to clear. On the clear side of the threshold; only for conditions with one direction.
             * @default null
             */
            recovery_threshold: number | null;
            /**
             * @description Minutes that the breach must last.
             * @default 5
             */
            duration_minutes: number;
            /**
             * @description Minutes that it must be clear before the alert resolves.
             * @default 0
             */
            keep_firing_minutes: number;
            /**
             * @description How bad a breach is.
             * @default warning
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            /** @default null */
            thresholds: components["schemas"]["LevelOutput"][] | null;
            /**
             * @description Exceptions for some hosts or parts; the first that matches a host or part counts.
             * @default []
             */
            overrides: components["schemas"]["OverrideOutput"][];
            /** @default {} */
            scope: components["schemas"]["RuleSelectorOutput"];
            /**
             * @default {
             *       "policy": "keep_state",
             *       "after_minutes": 10
             *     }
             */
            no_data: {
                /**
                 * @description What happens when the metric stays away: nothing, an alert, or that its alert resolves.
                 * @default keep_state
                 * @enum {string}
                 */
                policy: "keep_state" | "alert" | "resolve";
                /**
                 * @description After how many minutes the metric counts as staying away.
                 * @default 10
                 */
                after_minutes: number;
            };
            /**
             * @description Minutes after which channels are notified again of an active alert; null is never.
             * @default null
             */
            renotify_minutes: number | null;
            /**
             * @description Where alerts are notified: `default` (the default channels of all kinds), kinds (the default channel of that kind) or ids of channels. Without any, nobody is notified.
             * @default []
             */
            channels: string[];
            /**
             * @description What to do about it.
             * @default null
             */
            runbook_url: string | null;
            /** @description Counts the changes; the ETag begins with it. */
            version: number;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /**
             * @description The worst state of its subjects.
             * @enum {string}
             */
            state: "inactive" | "pending" | "firing";
            /** @description How many of its alerts are active. */
            firing_count: number;
            /** @description Only in the answer of a single rule; at most 100. */
            pending?: components["schemas"]["PendingInstance"][];
            /** @description How many of its alerts fired within the last seven days; only in the list with `sort=alerts`. */
            alerts?: number;
            /** @description When the rule last evaluated a sample. */
            last_evaluated_at: components["schemas"]["Timestamp"] | null;
            warnings: components["schemas"]["RuleWarning"][];
        };
        /** @description A subject that breaches the rule but not yet for long enough. */
        PendingInstance: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            subject: components["schemas"]["Subject"];
            pending_since: components["schemas"]["Timestamp"];
            value: number;
        };
        /** @description Something about a rule that works other than its author may expect. */
        RuleWarning: {
            /** @enum {string} */
            code: "channel_not_configured" | "notifies_nobody" | "threshold_hidden" | "metric_not_sent";
            message: string;
        };
        /** @description A RuleSet of all rules. */
        RuleExport: {
            rules: {
                [key: string]: unknown;
            }[];
        };
        /** @description What a set of rules changed. */
        RuleSetChanges: {
            /** @description Rules that were not there. Of a dry run the ids are made up and name nothing. */
            created: string[];
            /** @description Rules that were otherwise. */
            updated: string[];
            /** @description Rules that were so already. */
            unchanged: string[];
            /** @description Rules that `prune` took away, oldest first. */
            deleted: string[];
        };
        /** @description What a rule would have done. */
        Preview: {
            /** @description When the evaluation begins: at the requested time, or at the oldest data that are kept. */
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /**
             * @description What was evaluated: samples, or their minutes.
             * @enum {string}
             */
            tier: "raw" | "1m";
            /** @description Whether minutes stand for the samples in them. */
            approximate: boolean;
            /** @description How many services have data that the rule evaluates. */
            services_evaluated: number;
            /** @description By the time they fired, newest first; at most 500. */
            alerts: components["schemas"]["PreviewedAlert"][];
            alerts_total: number;
            /** @description For each threshold each duration; empty where neither was asked for. */
            curve: components["schemas"]["PreviewCurvePoint"][];
            /** @description What the answer of the rule would warn of, were it created. */
            warnings: components["schemas"]["RuleWarning"][];
        };
        /** @description An alert that there would have been. */
        PreviewedAlert: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            subject: components["schemas"]["Subject"];
            /**
             * @description How bad a breach is.
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            pending_since: components["schemas"]["Timestamp"];
            fired_at: components["schemas"]["Timestamp"];
            /** @description Null where it was still active at `to`. */
            resolved_at: components["schemas"]["Timestamp"] | null;
            peak_value: number;
        };
        /** @description How many alerts one threshold and duration would have made. */
        PreviewCurvePoint: {
            threshold: number;
            duration_minutes: number;
            alerts: number;
            alerts_per_week: number;
        };
        /** @description All living services by name. */
        RuleThresholdsPage: {
            thresholds: components["schemas"]["HostTerms"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The terms by which a rule evaluates a host. */
        HostTerms: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            /** @description False where scope or an override leaves the host out, or the rule is disabled. */
            evaluated: boolean;
            /** @description Whether an override matches the host. */
            overridden: boolean;
            /** @description Null where scope or an override leaves the host out. */
            terms: {
                /**
                 * @description How bad a breach is.
                 * @default warning
                 * @enum {string}
                 */
                severity: "critical" | "warning" | "info";
                /**
                 * @description Limit that the value is compared with. Required unless `thresholds` is given.
                 * @default null
                 */
                threshold: number | null;
                /**
                 * @description Upper limit of `between` and `not_between`, which need it; null for the others.
                 * @default null
                 */
                threshold_max: number | null;
                /**
                 * @description What the value must pass for the alert to clear. On the clear side of the threshold; only for conditions with one direction.
                 * @default null
                 */
                recovery_threshold: number | null;
                /**
                 * @description Minutes that the breach must last.
                 * @default 5
                 */
                duration_minutes: number;
                /** @default null */
                thresholds: components["schemas"]["LevelOutput"][] | null;
            } | null;
        };
        /** @description Alerts by `fired_at`, newest first. */
        AlertsPage: {
            alerts: components["schemas"]["Alert"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description How many alerts fired within `[from, to)`, and what came of them. */
        AlertCountsAnswer: {
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            group_by: ("rule_id" | "service_id" | "severity") | null;
            step_seconds: number | null;
            total: components["schemas"]["AlertCounts"];
            /** @description With `group_by`: groups by their number of alerts, the most first; else empty. */
            groups: components["schemas"]["AlertCountGroup"][];
            /** @description How many groups there are; `groups` has at most `top` of them. */
            groups_total: number;
        };
        /** @description Counts of all alerts of the range. */
        AlertCounts: {
            /** @description Alerts that fired in the range. */
            alerts: number;
            /** @description Critical ones among them, by the severity that they have now. */
            critical: number;
            /** @description Warnings among them. */
            warning: number;
            /** @description Informational ones among them. */
            info: number;
            /** @description Services that they are about. */
            services: number;
            /** @description Alerts among them that are active now. */
            active: number;
            /** @description Alerts among them that resolved because their breach ended. */
            recovered: number;
            /** @description Alerts among them that were acknowledged. */
            acknowledged: number;
            /** @description Alerts among them of which a notification was delivered. */
            notified: number;
            /** @description How often they breached again while recovering. */
            flaps: number;
            /** @description Minutes that they were active, up to `to`. */
            minutes: number;
            /** @description With `step`: steps in order, without those in which none fired; else empty. */
            points: components["schemas"]["AlertCountPoint"][];
        };
        /** @description Alerts that fired in one step. */
        AlertCountPoint: {
            /** @description Start of the step. */
            t: components["schemas"]["Timestamp"];
            alerts: number;
        };
        /** @description Counts of the alerts of one rule, service or severity. */
        AlertCountGroup: {
            /** @description The rule, the service, or the severity. */
            key: string;
            /** @description The rule's name at the newest alert, the host, or the severity. */
            name: string;
            /** @description Alerts that fired in the range. */
            alerts: number;
            /** @description Critical ones among them, by the severity that they have now. */
            critical: number;
            /** @description Warnings among them. */
            warning: number;
            /** @description Informational ones among them. */
            info: number;
            /** @description Services that they are about. */
            services: number;
            /** @description Alerts among them that are active now. */
            active: number;
            /** @description Alerts among them that resolved because their breach ended. */
            recovered: number;
            /** @description Alerts among them that were acknowledged. */
            acknowledged: number;
            /** @description Alerts among them of which a notification was delivered. */
            notified: number;
            /** @description How often they breached again while recovering. */
            flaps: number;
            /** @description Minutes that they were active, up to `to`. */
            minutes: number;
            /** @description With `step`: steps in order, without those in which none fired; else empty. */
            points: components["schemas"]["AlertCountPoint"][];
        };
        /** @description What led to an alert and to its end. */
        AlertEvidence: {
            /** @description Identifier of an alert. */
            alert_id: string;
            transitions: components["schemas"]["AlertTransition"][];
            samples: components["schemas"]["AlertSample"][];
            latency: components["schemas"]["AlertLatency"];
        };
        /** @description A step of an alert through its states. */
        AlertTransition: {
            /** @enum {string} */
            from: "inactive" | "pending" | "firing" | "recovering" | "resolved";
            /** @enum {string} */
            to: "inactive" | "pending" | "firing" | "recovering" | "resolved";
            /** @description Time of the sample, or of what stands for it. */
            at: components["schemas"]["Timestamp"];
            /** @description Why: `breach`, `clear`, `no_data`, `escalated`, `eased`, `confirmed` (a fresh sample breaches where the alert began with an old one), or what an alert is resolved by (`resolution`). */
            reason: string;
            value: number | null;
        };
        /** @description A sample that moved an alert, and where it lies in the log. */
        AlertSample: {
            /** @enum {string} */
            role: "opened" | "fired" | "closed";
            time: components["schemas"]["Timestamp"];
            value: number;
            /** @description Null where no log is kept. */
            topic: string | null;
            partition: number | null;
            offset: string | null;
        };
        /** @description The way of the sample that fired it, step by step. */
        AlertLatency: {
            /** @description Time of the sample that fired it, by the clock of its host. */
            sampled_at: components["schemas"]["Timestamp"] | null;
            /** @description When ingest received that sample. */
            received_at: components["schemas"]["Timestamp"] | null;
            /** @description When it was handed to the bus. */
            published_at: components["schemas"]["Timestamp"] | null;
            /** @description When the evaluator took it up. */
            consumed_at: components["schemas"]["Timestamp"] | null;
            /** @description When the rule evaluated it. */
            fired_at: components["schemas"]["Timestamp"] | null;
            /** @description When the first notification had been sent. */
            notified_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description Investigations by creation, newest first. */
        InvestigationsPage: {
            investigations: components["schemas"]["InvestigationItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An investigation, in short. */
        InvestigationItem: {
            /** @description Identifier of an investigation. */
            id: string;
            title: string;
            /**
             * @description Its progress. `conclusion` says what it found.
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @description Null until it is completed. */
            conclusion: ("root_cause_found" | "inconclusive") | null;
            /** @description Null until it is completed. */
            confidence: ("high" | "medium" | "low") | null;
            /** @description Of the worst of its alerts; null where it was asked for without one. */
            severity: ("critical" | "warning" | "info") | null;
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            /** @description The metric that it is about; null where only a host was named. */
            metric: string | null;
            /** @description The alerts of its host that it is about, in order of id. */
            alert_ids: string[];
            /** @description How many alerts of other hosts share it: a rule that fires on more than ten hosts within ten minutes has the first ten investigated. */
            storm_alerts: number;
            /** @description Start of the window that is investigated. */
            from: components["schemas"]["Timestamp"];
            /** @description End of the window that is investigated. */
            to: components["schemas"]["Timestamp"];
            /** @description The best first. While it runs, those that were found so far. */
            findings: components["schemas"]["Finding"][];
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was completed, failed or was cancelled. */
            completed_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description Something that was out of the ordinary. `host` is the host that it is about, which need not be the one that alerted. */
        Finding: {
            /** @description Identifier of a finding. */
            id: string;
            /** @enum {string} */
            kind: "metric_shift" | "correlated_metric" | "process" | "container" | "peer_hosts" | "recurrence" | "saturation" | "restart" | "data_gap" | "change";
            title: string;
            description: string;
            /** @description How probable it is that this is the cause, or points to it; compares across the hosts of one investigation. Where `possible_cause` is false, a place in the order alone. */
            score: number;
            /** @description Whether it may be the cause; false for the metric in question, other effects and circumstances. Null while a run is under way, and in records of versions before this field. */
            possible_cause: boolean | null;
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            subject: components["schemas"]["FindingSubject"];
            metric: string | null;
            /** @description What was usual before. */
            baseline: components["schemas"]["MetricSummary"] | null;
            /** @description What it was in the window. */
            observed: components["schemas"]["MetricSummary"] | null;
            /** @description When it began to be unusual. */
            started_at: components["schemas"]["Timestamp"] | null;
            /** @description Hosts that may be the cause, the most suspect first. */
            hosts: components["schemas"]["SuspectHost"][];
            /** @description Hosts that were looked at and did not move. */
            unaffected_hosts: components["schemas"]["HostReference"][];
            /** @description What its numbers were computed from, in `evidence`. */
            evidence_ids: string[];
        };
        /** @description The values of one window, `[from, to)`. */
        MetricSummary: {
            median: number;
            min: number;
            max: number;
            count: number;
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
        };
        /** @description A host that may be the cause. */
        SuspectHost: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            /** @description How probable it is that this is the cause, or points to it; compares across the hosts of one investigation. Where `possible_cause` is false, a place in the order alone. */
            score: number;
            metric: string | null;
            /** @description When it began to be unusual. */
            started_at: components["schemas"]["Timestamp"] | null;
        };
        /** @description A host and its service. */
        HostReference: {
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
        };
        /** @description An investigation in full. */
        Investigation: {
            /** @description Identifier of an investigation. */
            id: string;
            title: string;
            /**
             * @description Its progress. `conclusion` says what it found.
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @description Null until it is completed. */
            conclusion: ("root_cause_found" | "inconclusive") | null;
            /** @description Null until it is completed. */
            confidence: ("high" | "medium" | "low") | null;
            /** @description Of the worst of its alerts; null where it was asked for without one. */
            severity: ("critical" | "warning" | "info") | null;
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            /** @description The metric that it is about; null where only a host was named. */
            metric: string | null;
            /** @description The alerts of its host that it is about, in order of id. */
            alert_ids: string[];
            /** @description How many alerts of other hosts share it: a rule that fires on more than ten hosts within ten minutes has the first ten investigated. */
            storm_alerts: number;
            /** @description Start of the window that is investigated. */
            from: components["schemas"]["Timestamp"];
            /** @description End of the window that is investigated. */
            to: components["schemas"]["Timestamp"];
            /** @description The best first. While it runs, those that were found so far. */
            findings: components["schemas"]["Finding"][];
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was completed, failed or was cancelled. */
            completed_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description What it was begun by.
             * @enum {string}
             */
            trigger: "alert" | "request";
            question: string | null;
            /** @description Who asked for it; null where an alert began it. */
            created_by: components["schemas"]["Actor"] | null;
            started_at: components["schemas"]["Timestamp"] | null;
            /** @description Why it failed; null where it did not. */
            failure: string | null;
            /** @description Null until it is completed. */
            analysis: components["schemas"]["Analysis"] | null;
            timeline: components["schemas"]["TimelineEntry"][];
            recommendations: components["schemas"]["Recommendation"][];
            evidence: components["schemas"]["InvestigationEvidence"][];
            /** @description Null until it is completed. */
            usage: components["schemas"]["InvestigationUsage"] | null;
            feedback: components["schemas"]["InvestigationFeedback"] | null;
        };
        /** @description What it comes to, in words. */
        Analysis: {
            summary: string;
            /** @description One sentence; null where the investigation is inconclusive. */
            root_cause: string | null;
            /** @description The finding that is the cause; null where the investigation is inconclusive. */
            root_cause_finding_id: string | null;
            /** @description Why no cause is named: too little history to know what is usual, a metric that stayed as usual, several causes that are about as probable, or a cause that is not in what Tidewatch sees. Null where one is named, and in records of versions before this field. */
            inconclusive_reason: ("too_little_history" | "nothing_unusual" | "several_alike" | "cause_not_seen") | null;
            details_markdown: string;
            /**
             * @description Who worded it. Findings and conclusion are those of the statistics either way.
             * @enum {string}
             */
            source: "statistics" | "llm";
            /** @description The model that worded it; null where none did. */
            model: string | null;
            /**
             * @description `skipped` by a limit, `failed` without an answer that could be used: see `model_reason`.
             * @enum {string}
             */
            model_status: "not_configured" | "used" | "skipped" | "failed";
            model_reason: string | null;
            /** @description Claims of a model that cited no evidence, or evidence that does not exist. */
            claims_dropped: number;
        };
        /** @description What happened, in order. */
        TimelineEntry: {
            at: components["schemas"]["Timestamp"];
            /** @enum {string} */
            type: "metric_shift" | "pending" | "fired" | "resolved" | "process_started" | "container_restarted" | "host_restarted" | "host_silent" | "change" | "recurrence" | "investigation_step";
            title: string;
            /**
             * @description Who said or did it.
             * @enum {string}
             */
            actor: "system" | "detector" | "user" | "llm";
            /** @description What it rests on, in `evidence`. */
            evidence_ids: string[];
        };
        /** @description What to do. */
        Recommendation: {
            /** @enum {string} */
            priority: "high" | "medium" | "low";
            title: string;
            /** @description What it does, and how to see that it helped. */
            description: string;
            /** @description Null where there is nothing to type. */
            command: string | null;
            /** @description Says so where the command destroys or interrupts something. */
            risk: string;
            /** @description What it rests on, in `evidence`. */
            evidence_ids: string[];
        };
        /** @description The result of a query as it was then: it stays when the samples have aged out. */
        InvestigationEvidence: {
            /** @description Identifier of a piece of evidence. */
            id: string;
            /** @description What was asked of the store; a request of this API where there is one. */
            query: string;
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /** @description Numbers that were computed from it, by name. */
            stats: {
                [key: string]: number | string | null;
            };
            /** @description The result itself, thinned where it is long: points of a series, or the rows of a table. */
            points: {
                [key: string]: number | string | null;
            }[];
        };
        /** @description What the investigation cost. */
        InvestigationUsage: {
            /** @description How often a model was asked. */
            model_calls: number;
            /** @description How often a model asked for more data. */
            tool_calls: number;
            /** @description Tokens that models read. */
            input_tokens: number;
            /** @description Tokens that models wrote. */
            output_tokens: number;
            /** @description How long the run took. */
            seconds: number;
        };
        /** @description What people said of an investigation, the last word. */
        InvestigationFeedback: {
            helpful: boolean;
            /** @description What it was, in words; null where nothing is said. */
            actual_root_cause: string | null;
            comment: string | null;
            at: components["schemas"]["Timestamp"];
            by: components["schemas"]["Actor"];
        };
        /** @description Markers by `at`, newest first. */
        MarkersPage: {
            markers: components["schemas"]["Marker"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Something that people or their tools did, such as a deployment. */
        Marker: {
            /** @description Identifier of a marker. */
            id: string;
            /** @description What was done. */
            title: string;
            /** @description When it was done. */
            at: components["schemas"]["Timestamp"];
            selector: components["schemas"]["SelectorOutput"];
            /** @description Anything about it, such as a version. */
            tags: {
                [key: string]: string;
            };
            created_at: components["schemas"]["Timestamp"];
            created_by: components["schemas"]["Actor"];
        };
        /** @description Silences by creation, oldest first. */
        SilencesPage: {
            silences: components["schemas"]["Silence"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What a silence would mute now. */
        SilencePreview: {
            /** @description Whether its hosts would be in `maintenance`, since it matches by nothing but `hosts` and `tags`. */
            maintenance: boolean;
            /** @description Hosts, of which `list` has the first 100 by name. */
            services: {
                /** @description Hosts that it matches and that are not archived. */
                total: number;
                list: {
                    /** @description Identifier of a service. */
                    id: string;
                    name: string;
                }[];
            };
            /** @description Alerts, of which `list` has the newest 100. */
            alerts: {
                /** @description Active alerts that it matches, without those of rules in `shadow`. */
                total: number;
                /** @description Critical ones among them. */
                critical: number;
                /** @description Warnings among them. */
                warning: number;
                /** @description Informational ones among them. */
                info: number;
                /** @description Alerts among them that a silence mutes already. */
                silenced: number;
                list: components["schemas"]["MatchedAlert"][];
            };
            /** @description Rules of these alerts, those with the most first, at most 100. */
            rules: {
                /** @description Identifier of an alert rule. */
                id: string;
                name: string;
                /** @description How many of these alerts are of the rule. */
                alerts: number;
            }[];
        };
        /** @description An active alert that a silence would mute. */
        MatchedAlert: {
            /** @description Identifier of an alert. */
            id: string;
            /** @description Identifier of an alert rule. */
            rule_id: string;
            rule_name: string;
            /** @description Identifier of a service. */
            service_id: string;
            host: string;
            /**
             * @description How bad a breach is.
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            summary: string;
            fired_at: components["schemas"]["Timestamp"];
            /** @description The silence that mutes it already. */
            silenced_by: string | null;
        };
        /** @description When the silences of the list mute, within `[from, to)`. */
        SilenceWindows: {
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /** @description Windows that overlap the range, by their beginning, then by silence. */
            windows: components["schemas"]["SilenceWindow"][];
        };
        /** @description A time during which a silence mutes. */
        SilenceWindow: {
            /** @description Identifier of a silence. */
            silence_id: string;
            /** @description When the window begins. */
            from: components["schemas"]["Timestamp"];
            /** @description When it ends, or when the silence does. */
            until: components["schemas"]["Timestamp"];
        };
        /** @description Channels by creation, oldest first. */
        ChannelsPage: {
            channels: components["schemas"]["Channel"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A destination of notifications. */
        Channel: {
            /** @description Identifier of a notification channel. */
            id: string;
            /** @enum {string} */
            kind: "slack" | "email" | "webhook" | "pagerduty";
            name: string;
            /** @description Whether rules that name the kind alone mean this channel. */
            is_default: boolean;
            /** @description Whether anything is sent. */
            enabled: boolean;
            config: components["schemas"]["SlackConfig"] | components["schemas"]["EmailConfig"] | components["schemas"]["WebhookConfig"] | components["schemas"]["PagerdutyConfig"];
            /** @description Counts the changes; the ETag begins with it. */
            version: number;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            last_delivery: components["schemas"]["LastDelivery"] | null;
            /** @description What keeps the channel from working; an email channel without a mail server has one. */
            warnings: components["schemas"]["ChannelWarning"][];
        };
        /** @description An incoming webhook, or a bot. */
        SlackConfig: {
            /** @description The incoming webhook. Masked. */
            webhook_url: string;
        } | {
            /** @description The bot's token. Masked. */
            bot_token: string;
            channel: string;
            /** @description Masked where it is not Slack’s own. */
            api_url: string;
        };
        /** @description Who gets it. */
        EmailConfig: {
            to: string[];
        };
        /** @description A receiver of signed events. */
        WebhookConfig: {
            /** @description Where to. Masked. */
            url: string;
            /** @description What deliveries are signed with. Masked. */
            secret: string;
            /** @description Headers, their values masked. */
            headers: {
                [key: string]: string;
            };
            events: ("alert.fired" | "alert.escalated" | "alert.flapping" | "alert.resolved" | "alert.renotified" | "alert.acknowledged" | "alert.silence_ended" | "alert.digest" | "service.registered" | "service.offline" | "service.online" | "service.archived" | "service.deleted" | "rule.created" | "rule.updated" | "rule.deleted" | "investigation.started" | "investigation.progressed" | "investigation.completed" | "investigation.failed" | "investigation.cancelled" | "silence.created" | "silence.ended" | "channel.created" | "channel.updated" | "channel.deleted" | "notification.failed" | "key.created" | "key.rotated" | "key.revoked" | "pipeline.delayed" | "pipeline.recovered")[];
        };
        /** @description A service of PagerDuty, by Events API v2. */
        PagerdutyConfig: {
            /** @description The integration key. Masked. */
            routing_key: string;
            /** @description Masked where it is not PagerDuty’s own. */
            api_url: string;
        };
        /** @description The outcome of the last attempt of a delivery. */
        LastDelivery: {
            /** @enum {string} */
            status: "delivered" | "failed";
            at: components["schemas"]["Timestamp"];
            error: string | null;
        };
        /** @description Something that keeps a channel from working as its author may expect. */
        ChannelWarning: {
            /** @enum {string} */
            code: "mail_server_not_configured";
            message: string;
        };
        /** @description What came of a test. */
        ChannelTest: {
            /** @enum {string} */
            status: "delivered" | "failed";
            error: string | null;
            duration_ms: number;
        };
        /** @description Notifications by creation, newest first. */
        NotificationsPage: {
            notifications: components["schemas"]["Notification"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Keys by creation, oldest first; revoked ones are among them. */
        KeysPage: {
            keys: components["schemas"]["Key"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An API key, without its secret. */
        Key: {
            /** @description Identifier of an API key. */
            id: string;
            /**
             * @description `program`, or `person` for a user of single sign-on: named by the email address, without a secret, and with the scopes of the last sign-in.
             * @enum {string}
             */
            kind: "program" | "person";
            /** @description What people call it. */
            name: string;
            /** @description How the key begins; empty where its text was given to the installation, and for a user of single sign-on. Keys of the same minute begin alike: only all digits of the `id`, which the text holds between its underscores, distinguish them. */
            prefix: string;
            /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
            scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
            /** @description Requests a minute; null: the default of the installation. */
            rate_limit_per_minute: number | null;
            /** @description Patterns of the hosts that it may report for, `*` matching any run of characters; null: any. */
            hosts: string[] | null;
            /** @description When it was used last, noted at most once a minute; null: not yet. */
            last_used_at: components["schemas"]["Timestamp"] | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description The key that made it; null where the installation did. */
            created_by: components["schemas"]["Actor"] | null;
            /** @description The key whose place it took in a rotation; null: of none. */
            replaces: string | null;
            /** @description The key that took its place in a rotation, while it works until `expires_at`; null: none did. */
            replaced_by: string | null;
        };
        /** @description A new API key with its secret. */
        CreatedKey: {
            /** @description Identifier of an API key. */
            id: string;
            /**
             * @description `program`, or `person` for a user of single sign-on: named by the email address, without a secret, and with the scopes of the last sign-in.
             * @enum {string}
             */
            kind: "program" | "person";
            /** @description What people call it. */
            name: string;
            /** @description How the key begins; empty where its text was given to the installation, and for a user of single sign-on. Keys of the same minute begin alike: only all digits of the `id`, which the text holds between its underscores, distinguish them. */
            prefix: string;
            /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
            scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
            /** @description Requests a minute; null: the default of the installation. */
            rate_limit_per_minute: number | null;
            /** @description Patterns of the hosts that it may report for, `*` matching any run of characters; null: any. */
            hosts: string[] | null;
            /** @description When it was used last, noted at most once a minute; null: not yet. */
            last_used_at: components["schemas"]["Timestamp"] | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description The key that made it; null where the installation did. */
            created_by: components["schemas"]["Actor"] | null;
            /** @description The key whose place it took in a rotation; null: of none. */
            replaces: string | null;
            /** @description The key that took its place in a rotation, while it works until `expires_at`; null: none did. */
            replaced_by: string | null;
            /** @description The key itself, shown only here. */
            secret: string;
        };
        /** @description An API key and the hosts that used it. */
        KeyDetail: {
            /** @description Identifier of an API key. */
            id: string;
            /**
             * @description `program`, or `person` for a user of single sign-on: named by the email address, without a secret, and with the scopes of the last sign-in.
             * @enum {string}
             */
            kind: "program" | "person";
            /** @description What people call it. */
            name: string;
            /** @description How the key begins; empty where its text was given to the installation, and for a user of single sign-on. Keys of the same minute begin alike: only all digits of the `id`, which the text holds between its underscores, distinguish them. */
            prefix: string;
            /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
            scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
            /** @description Requests a minute; null: the default of the installation. */
            rate_limit_per_minute: number | null;
            /** @description Patterns of the hosts that it may report for, `*` matching any run of characters; null: any. */
            hosts: string[] | null;
            /** @description When it was used last, noted at most once a minute; null: not yet. */
            last_used_at: components["schemas"]["Timestamp"] | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description The key that made it; null where the installation did. */
            created_by: components["schemas"]["Actor"] | null;
            /** @description The key whose place it took in a rotation; null: of none. */
            replaces: string | null;
            /** @description The key that took its place in a rotation, while it works until `expires_at`; null: none did. */
            replaced_by: string | null;
            /** @description Hosts that it reported for, the latest first, at most 100; noted at most once a minute. */
            recent_hosts: {
                host: string;
                last_used_at: components["schemas"]["Timestamp"];
            }[];
        };
        /** @description The key that takes the place of another. */
        RotatedKey: {
            /** @description Identifier of an API key. */
            id: string;
            /**
             * @description `program`, or `person` for a user of single sign-on: named by the email address, without a secret, and with the scopes of the last sign-in.
             * @enum {string}
             */
            kind: "program" | "person";
            /** @description What people call it. */
            name: string;
            /** @description How the key begins; empty where its text was given to the installation, and for a user of single sign-on. Keys of the same minute begin alike: only all digits of the `id`, which the text holds between its underscores, distinguish them. */
            prefix: string;
            /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
            scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            expires_at: components["schemas"]["Timestamp"] | null;
            revoked_at: components["schemas"]["Timestamp"] | null;
            /** @description Requests a minute; null: the default of the installation. */
            rate_limit_per_minute: number | null;
            /** @description Patterns of the hosts that it may report for, `*` matching any run of characters; null: any. */
            hosts: string[] | null;
            /** @description When it was used last, noted at most once a minute; null: not yet. */
            last_used_at: components["schemas"]["Timestamp"] | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description The key that made it; null where the installation did. */
            created_by: components["schemas"]["Actor"] | null;
            /** @description Identifier of an API key. */
            replaces: string;
            /** @description The key that took its place in a rotation, while it works until `expires_at`; null: none did. */
            replaced_by: string | null;
            /** @description The key itself, shown only here. */
            secret: string;
        };
        /** @description The new session. */
        SignedIn: {
            /** @description The session that asks; null where a key was sent. */
            session: components["schemas"]["Session"] | null;
            organization: {
                /** @description Identifier of an organization. */
                id: string;
                /** @description What people call it. */
                name: string;
            };
            key: {
                /** @description Identifier of an API key. */
                id: string;
                /**
                 * @description `program`, or `person` for a user of single sign-on: named by the email address, without a secret, and with the scopes of the last sign-in.
                 * @enum {string}
                 */
                kind: "program" | "person";
                /** @description What people call it. */
                name: string;
                /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
                scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            };
            /** @description What this request may do. */
            scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            /** @description Until when the session may use `admin` and `operator`; null where a key was sent. */
            confirmed_until: components["schemas"]["Timestamp"] | null;
            /** @description The installation. */
            server: {
                version: string;
                /** @description The server's clock. */
                time: components["schemas"]["Timestamp"];
                /** @description TIDEWATCH_PUBLIC_URL. */
                public_url: string | null;
                /** @description How long values are kept. */
                retention: {
                    /** @description Days for which samples are kept. */
                    raw_days: number;
                    /** @description Days for which the rollup of 1 minute is kept. */
                    "1m_days": number;
                    /** @description Days for which the rollup of 1 hour is kept. */
                    "1h_days": number;
                    /** @description Days for which the rollup of 1 day is kept. */
                    "1d_days": number;
                };
                /**
                 * @description One process, or one for each service.
                 * @enum {string}
                 */
                topology: "embedded" | "distributed";
            };
            /** @description The session that this browser had before, which has ended; null where it had none. */
            replaced: {
                /** @description Identifier of a session. */
                id: string;
                /**
                 * @description `person`, or `display` for a screen on a wall, which only reads and stays signed in for a year.
                 * @enum {string}
                 */
                kind: "person" | "display";
                /** @description The name of the link that made it; null where a key did. */
                name: string | null;
                /** @description The key that it acts for. */
                key: {
                    /** @description Identifier of an API key. */
                    id: string;
                    /** @description What people call it. */
                    name: string;
                };
                organization: {
                    /** @description Identifier of an organization. */
                    id: string;
                    /** @description What people call it. */
                    name: string;
                };
            } | null;
        };
        /** @description A browser that is signed in to the console. */
        Session: {
            /** @description Identifier of a session. */
            id: string;
            /**
             * @description `person`, or `display` for a screen on a wall, which only reads and stays signed in for a year.
             * @enum {string}
             */
            kind: "person" | "display";
            /** @description The name of the link that made it; null where a key did. */
            name: string | null;
            /** @description The key that it acts for. */
            key: {
                /** @description Identifier of an API key. */
                id: string;
                /** @description What people call it. */
                name: string;
            };
            /** @description What the session may do: what its key may do, or less, and never `ingest`. */
            scopes: ("read" | "write" | "admin" | "operator")[];
            /** @description The browser that signed in. */
            user_agent: string | null;
            /** @description Where the browser signed in from. */
            address: string | null;
            created_at: components["schemas"]["Timestamp"];
            /** @description When it was used last, noted at most once a minute. */
            last_used_at: components["schemas"]["Timestamp"];
            /** @description Until when `admin` and `operator` can be used without another confirmation. */
            confirmed_until: components["schemas"]["Timestamp"];
            /** @description When it ends, unless it is idle for too long before. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description Whether this request comes from it. */
            current: boolean;
        };
        /** @description Who asks, with what, and which installation answers. */
        Identity: {
            /** @description The session that asks; null where a key was sent. */
            session: components["schemas"]["Session"] | null;
            organization: {
                /** @description Identifier of an organization. */
                id: string;
                /** @description What people call it. */
                name: string;
            };
            key: {
                /** @description Identifier of an API key. */
                id: string;
                /**
                 * @description `program`, or `person` for a user of single sign-on: named by the email address, without a secret, and with the scopes of the last sign-in.
                 * @enum {string}
                 */
                kind: "program" | "person";
                /** @description What people call it. */
                name: string;
                /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
                scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            };
            /** @description What this request may do. */
            scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
            /** @description Until when the session may use `admin` and `operator`; null where a key was sent. */
            confirmed_until: components["schemas"]["Timestamp"] | null;
            /** @description The installation. */
            server: {
                version: string;
                /** @description The server's clock. */
                time: components["schemas"]["Timestamp"];
                /** @description TIDEWATCH_PUBLIC_URL. */
                public_url: string | null;
                /** @description How long values are kept. */
                retention: {
                    /** @description Days for which samples are kept. */
                    raw_days: number;
                    /** @description Days for which the rollup of 1 minute is kept. */
                    "1m_days": number;
                    /** @description Days for which the rollup of 1 hour is kept. */
                    "1h_days": number;
                    /** @description Days for which the rollup of 1 day is kept. */
                    "1d_days": number;
                };
                /**
                 * @description One process, or one for each service.
                 * @enum {string}
                 */
                topology: "embedded" | "distributed";
            };
        };
        /** @description Sessions by creation, oldest first. */
        SessionsPage: {
            sessions: components["schemas"]["Session"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A one-time link that signs in to the console. */
        SignInLink: {
            /** @description The address to open, shown only here. Its secret follows `#link=`, and signs in one browser, once. */
            url: string;
            expires_at: components["schemas"]["Timestamp"];
        };
        /** @description How people sign in here. */
        SignInMethods: {
            /** @description Whether a key signs in. */
            key: boolean;
            /** @description The identity provider; null where none is configured. */
            single_sign_on: {
                /** @description What users call the provider. */
                name: string;
            } | null;
        };
        /** @description A sign-in that goes on at the identity provider, for ten minutes. */
        SignOn: {
            /** @description The address of the identity provider that the browser opens next. */
            url: string;
        };
        /** @description Organizations by creation, oldest first. */
        OrganizationsPage: {
            organizations: components["schemas"]["Organization"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An organization, which has services, rules, alerts and keys of its own. */
        Organization: {
            /** @description Identifier of an organization. */
            id: string;
            /** @description What people call it. */
            name: string;
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description A new organization and its first admin key. */
        CreatedOrganization: {
            organization: components["schemas"]["Organization"];
            key: components["schemas"]["CreatedKey"];
        };
        /** @description Records of the audit log, newest first. */
        AuditPage: {
            audit: components["schemas"]["AuditRecord"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Who changed what, and from where. Never changed itself. */
        AuditRecord: {
            /** @description Identifier of an audit record. */
            id: string;
            at: components["schemas"]["Timestamp"];
            actor: components["schemas"]["Actor"];
            /** @enum {string} */
            action: "rule.created" | "rule.updated" | "rule.deleted" | "channel.created" | "channel.updated" | "channel.deleted" | "channel.tested" | "silence.created" | "silence.deleted" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "service.deleted" | "alert.acknowledged" | "alert.commented" | "alert.resolved" | "notification.redelivered" | "investigation.requested" | "investigation.cancelled" | "investigation.rated" | "marker.created" | "marker.deleted" | "session.created" | "session.confirmed" | "session.ended" | "sign_in_link.created";
            /** @description What was changed. */
            object: {
                /** @enum {string} */
                type: "rule" | "channel" | "silence" | "key" | "organization" | "service" | "alert" | "notification" | "investigation" | "marker" | "session" | "sign_in_link";
                id: string;
                /** @description Its name at that time. */
                name: string;
            };
            /** @description Where the request came from. */
            ip: string | null;
            /** @description What it was: of an object that goes on, the fields that changed; null where it is new. Secrets are masked. Of more than 16 KiB the smaller fields are kept, and `_truncated` has the size of all in `bytes` and the names of the others in `fields`. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description What it became, in the same way; null where it is gone. */
            after: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The state of an organization at a glance. */
        Summary: {
            /** @description When this was read, by the server's clock. */
            as_of: components["schemas"]["Timestamp"];
            services: components["schemas"]["ServiceCounts"];
            alerts: components["schemas"]["AlertSummary"];
            /** @description The time since which the partition that is furthest behind has been evaluated completely; null before the first evaluation. */
            evaluation_lag_seconds: number | null;
            notifications: components["schemas"]["NotificationSummary"];
            rules: components["schemas"]["RuleSummary"];
            setup: components["schemas"]["SetupSummary"];
        };
        /** @description How many services have each status. */
        ServiceCounts: {
            /** @description All that are not archived. */
            total: number;
            /** @description Those that are healthy. */
            healthy: number;
            /** @description Those that are degraded. */
            degraded: number;
            /** @description Those that are critical. */
            critical: number;
            /** @description Those that are offline. */
            offline: number;
            /** @description Those that are maintenance. */
            maintenance: number;
            /** @description Those that are archived. */
            archived: number;
        };
        /** @description Active alerts by severity. */
        AlertSummary: {
            /** @description Active alerts, without those of rules in `shadow`. */
            total: number;
            critical: components["schemas"]["ActiveAlertCounts"];
            warning: components["schemas"]["ActiveAlertCounts"];
            info: components["schemas"]["ActiveAlertCounts"];
        };
        /** @description How many alerts of a severity are active. */
        ActiveAlertCounts: {
            /** @description Active alerts of this severity. */
            total: number;
            /** @description Those among them that were acknowledged. */
            acknowledged: number;
        };
        /** @description What was not delivered. */
        NotificationSummary: {
            /** @description Notifications of the last 24 hours that failed. */
            failed: number;
            /** @description The most recent failures first, at most 20. */
            failing_channels: components["schemas"]["FailingChannel"][];
        };
        /** @description An enabled channel whose last delivery failed. */
        FailingChannel: {
            /** @description Identifier of a notification channel. */
            id: string;
            name: string;
            /** @enum {string} */
            kind: "slack" | "email" | "webhook" | "pagerduty";
            failed_at: components["schemas"]["Timestamp"];
            error: string | null;
        };
        /** @description How many rules there are. */
        RuleSummary: {
            /** @description Rules that are evaluated. */
            enabled: number;
            /** @description Active rules among them that notify no channel. */
            without_channels: number;
        };
        /** @description What a new installation needs. */
        SetupSummary: {
            /** @description Channels that are enabled. */
            channels: number;
            /** @description Whether `TIDEWATCH_PUBLIC_URL` is set, so that notifications link here. */
            public_url: boolean;
        };
        /** @description What the organization may use, and what it uses. */
        Limits: {
            requests: components["schemas"]["RequestLimit"];
            samples: components["schemas"]["SamplesLimit"];
            /** @description Active series. */
            series: {
                /** @description How many there may be. */
                limit: number;
                /** @description How many there are. */
                used: number;
            };
            /** @description Active parts of a host. */
            parts_per_host: {
                /** @description How many a host may have. */
                limit: number;
                /** @description How many the host has that has the most. */
                used: number;
            };
            /** @description Active series of the parts of a host. */
            part_series_per_host: {
                /** @description How many a host may have. */
                limit: number;
                /** @description How many the host has that has the most. */
                used: number;
            };
            /** @description Alert rules. */
            rules: {
                /** @description How many there may be. */
                limit: number;
                /** @description How many there are. */
                used: number;
            };
            /** @description Channels. */
            channels: {
                /** @description How many there may be. */
                limit: number;
                /** @description How many there are. */
                used: number;
            };
            /** @description Silences that have not ended. */
            silences: {
                /** @description How many there may be. */
                limit: number;
                /** @description How many there are. */
                used: number;
            };
            /** @description Keys that are neither revoked nor expired. */
            keys: {
                /** @description How many there may be. */
                limit: number;
                /** @description How many there are. */
                used: number;
            };
            /** @description Markers. */
            markers: {
                /** @description How many there may be. */
                limit: number;
                /** @description How many there are. */
                used: number;
            };
            /** @description Bytes of audit records in this hour. */
            audit_bytes: {
                /** @description How many there may be. */
                limit: number;
                /** @description How many there are. */
                used: number;
            };
        };
        /** @description Requests of the key that asks. */
        RequestLimit: {
            /** @description Requests that the key may send in a minute, those of ingest apart. */
            per_minute: number;
            /** @description Requests of the key in this minute, this one among them. */
            used: number;
            /** @description When the minute ends. */
            resets_at: components["schemas"]["Timestamp"];
        };
        /** @description Samples of the organization. */
        SamplesLimit: {
            per_minute: number | null;
            /** @description Samples that may be sent at once now, below 0 after a request that was larger than a minute; null without a limit. */
            available: number | null;
        };
        /** @description The state of the installation, over all its processes. */
        System: {
            as_of: components["schemas"]["Timestamp"];
            /**
             * @description The worst of all processes. `unavailable` also while no evaluator, writer, gateway or query API reports.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /** @description Why it is not ready; empty while it is. */
            reasons: string[];
            /** @enum {string} */
            topology: "embedded" | "distributed";
            /** @enum {string} */
            storage_backend: "plain" | "timescale-apache" | "timescale-community";
            /** @description Of the process that answers. */
            version: string;
            /** @description By role and start. A process that was stopped is not among them. */
            processes: components["schemas"]["SystemProcess"][];
            evaluation_lag_seconds: number | null;
            dead_letters: components["schemas"]["SystemDeadLetters"];
            notifications: components["schemas"]["SystemNotifications"];
            /** @description Streams of events that are open. */
            event_streams: number;
            jobs: components["schemas"]["SystemJobs"];
            storage: components["schemas"]["SystemStorage"];
        };
        /** @description A process of Tidewatch. */
        SystemProcess: {
            /** @description Machine and process id. */
            id: string;
            /** @description The services that it runs: all of them where Tidewatch is one process. */
            roles: ("evaluator" | "writer" | "notifier" | "investigator" | "gateway" | "query-api")[];
            version: string;
            /**
             * @description What it reported of itself; `missing` where it has stopped reporting, and no process of its roles has started since.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable" | "missing";
            /** @description Why it is not ready; empty while it is. */
            reasons: string[];
            started_at: components["schemas"]["Timestamp"];
            /** @description Its last report; it reports every ten seconds. */
            reported_at: components["schemas"]["Timestamp"];
            lag_seconds: number | null;
        };
        /** @description Records that became dead letters. */
        SystemDeadLetters: {
            /** @description Records that consumers gave up. */
            count: number;
            /** @description Since when it is counted: the earliest start of the running processes. */
            since: components["schemas"]["Timestamp"] | null;
        };
        /** @description The queue of notifications; null while no notifier reports. */
        SystemNotifications: {
            /** @description Notifications of all organizations that wait to be delivered. */
            queued: number;
            /** @description Age of the oldest of them; 0 if none waits. */
            oldest_seconds: number;
        } | null;
        /** @description Background jobs of writers. */
        SystemJobs: {
            /** @description Background jobs whose last round failed. */
            failing: string[];
            /** @description Failed rounds of background jobs. */
            failures: number;
            /** @description Since when it is counted: the earliest start of the running processes. */
            since: components["schemas"]["Timestamp"] | null;
        };
        /** @description What the stored data take. */
        SystemStorage: {
            /** @description Size of the database, read at most once a minute. */
            database_bytes: number;
            /** @description The disk of the data; null where PostgreSQL runs elsewhere, whose disk nobody here can see. */
            disk: {
                /** @description What is free. */
                free_bytes: number;
                /** @description Its size. */
                total_bytes: number;
            } | null;
            /** @description How much the database grew in a day, over up to 7 days; null before a day has been measured. */
            growth_bytes_per_day: number | null;
            days_left: number | null;
            /** @description Its size in each hour of the last 7 days, oldest first. */
            history: {
                t: components["schemas"]["Timestamp"];
                /** @description Size of the database then. */
                database_bytes: number;
            }[];
        };
        /** @description The process lives. */
        Liveness: {
            /** @constant */
            status: "ok";
        };
        /** @description Whether the process can do its work, and what answers here. */
        Readiness: {
            /**
             * @description `degraded` serves everything, but something is away; `unavailable` does not.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /** @description What is missing. */
            reasons: string[];
        } & {
            [key: string]: unknown;
        };
        /** @description Evaluates a value derived from the subject's own stream instead of the sample: the mean, minimum or maximum of the last minutes, the change or the change a minute since then, or where a straight line through them leads. */
        TransformOutput: {
            /** @enum {string} */
            kind: "average" | "minimum" | "maximum" | "change" | "rate_per_minute";
            /** @description The length of the window, minutes. The rule is not evaluated before samples cover half of it. */
            over_minutes: number;
        } | {
            /** @constant */
            kind: "forecast";
            /** @description The length of the window, minutes. The rule is not evaluated before samples cover half of it. */
            over_minutes: number;
            /** @description How far ahead of the sample the line is followed, minutes. */
            ahead_minutes: number;
        };
        /** @description A threshold with a severity of its own. */
        LevelOutput: {
            /**
             * @description How bad a breach is.
             * @enum {string}
             */
            severity: "critical" | "warning" | "info";
            threshold: number;
            /** @default null */
            threshold_max: number | null;
            /** @default null */
            recovery_threshold: number | null;
            /**
             * @description Minutes that the breach must last; null is the rule's.
             * @default null
             */
            duration_minutes: number | null;
        };
        /** @description What some hosts or parts have other than the rule; null is as the rule has it. */
        OverrideOutput: {
            /** @description The hosts, or parts of hosts, that it is for. */
            match: components["schemas"]["RuleSelectorOutput"];
            /**
             * @description False leaves these hosts or parts out.
             * @default true
             */
            enabled: boolean;
            /** @default null */
            threshold: number | null;
            /** @default null */
            threshold_max: number | null;
            /** @default null */
            recovery_threshold: number | null;
            /** @default null */
            duration_minutes: number | null;
            /** @default null */
            keep_firing_minutes: number | null;
            /** @default null */
            severity: ("critical" | "warning" | "info") | null;
            /** @default null */
            thresholds: components["schemas"]["LevelOutput"][] | null;
        };
        /** @description Chooses hosts and their parts, containers or processes: every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent. */
        RuleSelectorOutput: {
            /** @description Patterns of host names, of which one must match. */
            hosts?: string[];
            /** @description Tag names to a pattern or a list of patterns of their values. Every tag must match. */
            tags?: {
                [key: string]: string | string[];
            };
            /** @description A pattern, or a list of patterns of which one must match, of names of parts; their kind is in the metric. Only where the metric is one of parts. */
            part?: string | string[];
            /** @description Label names to a pattern or a list of patterns of their values. Every label must match. Only where the metric is one of parts. */
            part_labels?: {
                [key: string]: string | string[];
            };
            /** @description A pattern, or a list of patterns of which one must match, of names of containers. Only where the metric is one of containers. */
            container?: string | string[];
            /** @description A pattern, or a list of patterns of which one must match, of names of processes. Only where the metric is one of processes. */
            process?: string | string[];
        };
        /** @description Chooses hosts: every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent. */
        SelectorOutput: {
            /** @description Patterns of host names, of which one must match. */
            hosts?: string[];
            /** @description Tag names to a pattern or a list of patterns of their values. Every tag must match. */
            tags?: {
                [key: string]: string | string[];
            };
        };
        /** @description A CloudEvent on the topic `tidewatch.events`. */
        Event: {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "alert.fired" | "alert.escalated" | "alert.flapping" | "alert.resolved" | "alert.renotified" | "alert.acknowledged" | "alert.silence_ended";
            data: {
                alert: components["schemas"]["Alert"];
                rule: {
                    /** @description Identifier of an alert rule. */
                    id: string;
                    name: string;
                    runbook_url: string | null;
                };
                /** @description Addresses for people; null where none is known. */
                links: {
                    alert: string | null;
                    service: string | null;
                    investigation: string | null;
                    runbook: string | null;
                };
                /**
                 * @description Only in `alert.flapping`: the worst severity that flaps. What is above it is notified all the same.
                 * @enum {string}
                 */
                flapping_severity?: "critical" | "warning" | "info";
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "alert.digest";
            data: {
                /** @description All firing, or all resolved; each alert once. */
                alerts: components["schemas"]["Alert"][];
                rule: {
                    /** @description Identifier of an alert rule. */
                    id: string;
                    name: string;
                    runbook_url: string | null;
                };
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "service.registered" | "service.offline" | "service.online" | "service.archived" | "service.deleted";
            data: {
                service: {
                    /** @description Identifier of a service. */
                    id: string;
                    name: string;
                    host: string;
                    /**
                     * @description `degraded`: a warning alert is active; `critical`: a critical one is; `offline`: silent for max(3 × its usual interval, 3 minutes); `maintenance`: silenced; `archived`: offline for days and out of the lists.
                     * @enum {string}
                     */
                    status: "healthy" | "degraded" | "critical" | "offline" | "maintenance" | "archived";
                    status_reasons: components["schemas"]["StatusReason"][];
                    status_since: components["schemas"]["Timestamp"];
                    last_seen: components["schemas"]["Timestamp"] | null;
                    tags: {
                        [key: string]: string;
                    };
                };
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "rule.created" | "rule.updated" | "rule.deleted";
            data: {
                rule: {
                    /** @description Identifier of an alert rule. */
                    id: string;
                    /** @description Name for people. */
                    name: string;
                    /** @description Name of the metric that is evaluated. `container.` and a field of containers evaluates each container separately, `process.cpu_percent`, `process.memory_rss` and `process.count` evaluate all processes of one name together, `container.running` and `container.unhealthy` are 1 or 0, a kind of parts with a full stop and one of their metrics (`filesystem.used_percent`) evaluates each part of this kind separately, as well as a metric of hosts of this name, and `host.silent_minutes` is the number of minutes since a host was last seen. */
                    metric: string;
                    /**
                     * @description How bad a breach is.
                     * @default warning
                     * @enum {string}
                     */
                    severity: "critical" | "warning" | "info";
                    /**
                     * @description Whether the rule is evaluated.
                     * @default true
                     */
                    enabled: boolean;
                    /** @description Counts the changes; the ETag begins with it. */
                    version: number;
                    /**
                     * @description The rule's name in the system that manages it.
                     * @default null
                     */
                    external_id: string | null;
                };
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "channel.created" | "channel.updated" | "channel.deleted";
            data: {
                channel: {
                    /** @description Identifier of a notification channel. */
                    id: string;
                    /** @enum {string} */
                    kind: "slack" | "email" | "webhook" | "pagerduty";
                    name: string;
                    /** @description Whether rules that name the kind alone mean this channel. */
                    is_default: boolean;
                    /** @description Whether anything is sent. */
                    enabled: boolean;
                    /** @description Counts the changes; the ETag begins with it. */
                    version: number;
                };
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "notification.failed";
            data: {
                notification: components["schemas"]["Notification"];
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "investigation.started" | "investigation.progressed" | "investigation.completed" | "investigation.failed" | "investigation.cancelled";
            data: {
                investigation: {
                    /** @description Identifier of an investigation. */
                    id: string;
                    title: string;
                    /**
                     * @description Its progress. `conclusion` says what it found.
                     * @enum {string}
                     */
                    status: "queued" | "running" | "completed" | "failed" | "cancelled";
                    /** @description Null until it is completed. */
                    conclusion: ("root_cause_found" | "inconclusive") | null;
                    /** @description Null until it is completed. */
                    confidence: ("high" | "medium" | "low") | null;
                    /** @description Of the worst of its alerts; null where it was asked for without one. */
                    severity: ("critical" | "warning" | "info") | null;
                    /** @description Identifier of a service. */
                    service_id: string;
                    host: string;
                    /** @description The metric that it is about; null where only a host was named. */
                    metric: string | null;
                    /** @description The alerts of its host that it is about, in order of id. */
                    alert_ids: string[];
                    /** @description How many alerts of other hosts share it: a rule that fires on more than ten hosts within ten minutes has the first ten investigated. */
                    storm_alerts: number;
                    /** @description Start of the window that is investigated. */
                    from: components["schemas"]["Timestamp"];
                    /** @description End of the window that is investigated. */
                    to: components["schemas"]["Timestamp"];
                    created_at: components["schemas"]["Timestamp"];
                    /** @description When it was completed, failed or was cancelled. */
                    completed_at: components["schemas"]["Timestamp"] | null;
                };
                /** @description What found the findings, where it has `progressed`; null otherwise. */
                detector: string | null;
                /** @description Those that the detector found, or the best of all; ten at most. */
                findings: {
                    /** @description Identifier of a finding. */
                    id: string;
                    /** @enum {string} */
                    kind: "metric_shift" | "correlated_metric" | "process" | "container" | "peer_hosts" | "recurrence" | "saturation" | "restart" | "data_gap" | "change";
                    title: string;
                    /** @description How probable it is that this is the cause, or points to it; compares across the hosts of one investigation. Where `possible_cause` is false, a place in the order alone. */
                    score: number;
                    /** @description Identifier of a service. */
                    service_id: string;
                    host: string;
                    subject: components["schemas"]["FindingSubject"];
                }[];
                /** @description How many there are by now. */
                findings_total: number;
                /** @description Null until it is completed. */
                analysis: {
                    summary: string;
                    /** @description One sentence; null where the investigation is inconclusive. */
                    root_cause: string | null;
                    /** @description The finding that is the cause; null where the investigation is inconclusive. */
                    root_cause_finding_id: string | null;
                    /**
                     * @description Who worded it. Findings and conclusion are those of the statistics either way.
                     * @enum {string}
                     */
                    source: "statistics" | "llm";
                } | null;
                /** @description Addresses for people; null where none is known. */
                links: {
                    investigation: string | null;
                    service: string | null;
                };
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "silence.created" | "silence.ended";
            data: {
                silence: components["schemas"]["Silence"];
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "pipeline.delayed" | "pipeline.recovered";
            data: {
                pipeline: {
                    /** @description Those that have fallen behind, or have caught up; hosts are spread over all. */
                    partitions: number[];
                    partition_count: number;
                    /** @description Up to when all of these have been evaluated. */
                    complete_until: components["schemas"]["Timestamp"];
                    /** @description When the first of these was found to be behind. */
                    delayed_since: components["schemas"]["Timestamp"];
                };
            };
        } | {
            /** @constant */
            specversion: "1.0";
            /** @description Identifier of an event. */
            id: string;
            /** @description The organization, as `/tidewatch/<id>`. */
            source: string;
            /** @description Id of the object that the event is about; `pipeline` where it is the pipeline. */
            subject: string;
            /** @description When it was decided. */
            time: components["schemas"]["Timestamp"];
            /** @constant */
            datacontenttype: "application/json";
            /** @enum {string} */
            type: "key.created" | "key.rotated" | "key.revoked";
            data: {
                key: {
                    /** @description Identifier of an API key. */
                    id: string;
                    /** @description What people call it. */
                    name: string;
                    /** @description How the key begins; empty where its text was given to the installation, and for a user of single sign-on. Keys of the same minute begin alike: only all digits of the `id`, which the text holds between its underscores, distinguish them. */
                    prefix: string;
                    /** @description `ingest` opens ingest and its own receipts, `read` every read but keys and the audit log, `write` includes `read`, `admin` is all of the organization, `operator` is for the installation. */
                    scopes: ("ingest" | "read" | "write" | "admin" | "operator")[];
                    expires_at: components["schemas"]["Timestamp"] | null;
                    revoked_at: components["schemas"]["Timestamp"] | null;
                };
                /** @description The key in whose place it came, if any. */
                replaces: string | null;
            };
        };
    };
    responses: {
        /** @description `bad_request`: The request could not be read as HTTP. */
        "400_bad_request": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `key_missing`: The request carries no key. Send one as X-API-Key or as a bearer token; the first start keeps one in the file admin-key of its data directory.
         *
         *     `key_invalid`: The key that was sent is not known here.
         *
         *     `key_expired`: The time until which the key was valid has passed.
         *
         *     `key_revoked`: The key was revoked.
         */
        "401_key_missing_key_invalid_key_expired_key_revoked": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `scope_missing`: The key is valid but lacks the endpoint's scope.
         *
         *     `host_not_allowed`: The key may not report for this host.
         */
        "403_scope_missing_host_not_allowed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_timeout`: The request did not arrive completely in time. */
        "408_request_timeout": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large`: The body is larger than the limit, on the wire or decompressed. */
        "413_payload_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `uri_too_long`: The request target is longer than the server takes. */
        "414_uri_too_long": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `unsupported_media_type`: The endpoint does not take this Content-Type.
         *
         *     `unsupported_content_encoding`: Accepted are gzip, br, zstd, deflate and identity.
         */
        "415_unsupported_media_type_unsupported_content_encoding": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `expectation_failed`: Only "100-continue" is understood as an expectation. */
        "417_expectation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `validation_failed`: The request has faults. `errors` names every one of them, up to a hundred.
         *
         *     `series_limit`: The payload would add metrics beyond the limit of series of the organization, or parts beyond the limit of a host.
         */
        "422_validation_failed_series_limit": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served.
         *
         *     `rate_limited`: The rate limit of the key is used up. Retry-After says when to come back.
         *
         *     `organization_busy`: Other requests of the organization use its whole share of this. Retry-After says when to come back.
         *
         *     `samples_limited`: The organization has used up its samples a minute. Retry-After says when the request is taken.
         */
        "429_too_many_refusals_rate_limited_organization_busy_samples_limited": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `headers_too_large`: The header fields are larger than the server takes. */
        "431_headers_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal_error`: Something failed that should not. The log has more under the request id. */
        "500_internal_error": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `bad_gateway`: The process behind this address did not answer. Send the request again, where it may be sent twice. */
        "502_bad_gateway": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `shutting_down`: The process is leaving. Send the request again.
         *
         *     `database_unavailable`: The database does not answer at the moment.
         *
         *     `overloaded`: Requests of others held all that the process has for this until the time limit. Retry-After says when to come back.
         *
         *     `ingest_unavailable`: Payloads cannot be made durable at the moment. Send them again later.
         *
         *     `storage_full`: The disk is nearly full. Ingest resumes by itself once there is space.
         */
        "503_shutting_down_database_unavailable_overloaded_ingest_unavailable_storage_full": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request has faults. `errors` names every one of them, up to a hundred. */
        "422_validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served.
         *
         *     `rate_limited`: The rate limit of the key is used up. Retry-After says when to come back.
         *
         *     `organization_busy`: Other requests of the organization use its whole share of this. Retry-After says when to come back.
         */
        "429_too_many_refusals_rate_limited_organization_busy": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `shutting_down`: The process is leaving. Send the request again. */
        "503_shutting_down": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `key_missing`: The request carries no key. Send one as X-API-Key or as a bearer token; the first start keeps one in the file admin-key of its data directory.
         *
         *     `key_invalid`: The key that was sent is not known here.
         *
         *     `key_expired`: The time until which the key was valid has passed.
         *
         *     `key_revoked`: The key was revoked.
         *
         *     `session_ended`: The session was signed out, ended or expired, or its key no longer works.
         */
        "401_key_missing_key_invalid_key_expired_key_revoked_session_ended": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `scope_missing`: The key is valid but lacks the endpoint's scope.
         *
         *     `cross_site`: The request uses a session, or signs in, but does not come from the console at this address.
         */
        "403_scope_missing_cross_site": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: Nothing is here, or nothing that the key may see. */
        "404_not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `shutting_down`: The process is leaving. Send the request again.
         *
         *     `database_unavailable`: The database does not answer at the moment.
         *
         *     `overloaded`: Requests of others held all that the process has for this until the time limit. Retry-After says when to come back.
         */
        "503_shutting_down_database_unavailable_overloaded": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The answer is still as If-None-Match names it. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served.
         *
         *     `rate_limited`: The rate limit of the key is used up. Retry-After says when to come back.
         *
         *     `organization_busy`: Other requests of the organization use its whole share of this. Retry-After says when to come back.
         *
         *     `export_running`: The organization runs as many exports as it may at once. Retry-After says when to come back.
         */
        "429_too_many_refusals_rate_limited_organization_busy_export_running": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `validation_failed`: The request has faults. `errors` names every one of them, up to a hundred.
         *
         *     `unsupported`: The request is well formed but asks for something that this version does not do.
         */
        "422_validation_failed_unsupported": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `validation_failed`: The request has faults. `errors` names every one of them, up to a hundred.
         *
         *     `limit_reached`: The organization has as many objects of the kind, or as many bytes of audit records in this hour, as it may.
         */
        "422_validation_failed_limit_reached": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `validation_failed`: The request has faults. `errors` names every one of them, up to a hundred.
         *
         *     `limit_reached`: The organization has as many objects of the kind, or as many bytes of audit records in this hour, as it may.
         *
         *     `unsupported`: The request is well formed but asks for something that this version does not do.
         */
        "422_validation_failed_limit_reached_unsupported": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`: The object is in a state that does not allow this. */
        "409_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served.
         *
         *     `rate_limited`: The rate limit of the key is used up. Retry-After says when to come back.
         *
         *     `organization_busy`: Other requests of the organization use its whole share of this. Retry-After says when to come back.
         *
         *     `preview_running`: One preview of an organization runs at a time. Retry-After says when to come back.
         */
        "429_too_many_refusals_rate_limited_organization_busy_preview_running": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_failed`: If-Match does not name the current version. Read the object again. */
        "412_precondition_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `alert_resolved`: A resolved alert cannot be acknowledged. */
        "409_alert_resolved": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served.
         *
         *     `rate_limited`: The rate limit of the key is used up. Retry-After says when to come back.
         *
         *     `organization_busy`: Other requests of the organization use its whole share of this. Retry-After says when to come back.
         *
         *     `investigations_queued`: The organization has asked for as many investigations as may wait. Retry-After says when to come back.
         */
        "429_too_many_refusals_rate_limited_organization_busy_investigations_queued": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `shutting_down`: The process is leaving. Send the request again.
         *
         *     `database_unavailable`: The database does not answer at the moment.
         *
         *     `overloaded`: Requests of others held all that the process has for this until the time limit. Retry-After says when to come back.
         *
         *     `secrets_unreadable`: The channel's secrets were encrypted with another TIDEWATCH_SECRET_KEY than the one that this process has.
         */
        "503_shutting_down_database_unavailable_overloaded_secrets_unreadable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `scope_missing`: The key is valid but lacks the endpoint's scope.
         *
         *     `cross_site`: The request uses a session, or signs in, but does not come from the console at this address.
         *
         *     `confirmation_needed`: The session may use the scopes admin and operator only for a time after sign-in or confirmation, which is over.
         */
        "403_scope_missing_cross_site_confirmation_needed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `last_admin_key`: No other admin key of the organization would be left. Create one first. */
        "409_last_admin_key": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `key_invalid`: The key that was sent is not known here.
         *
         *     `key_expired`: The time until which the key was valid has passed.
         *
         *     `key_revoked`: The key was revoked.
         *
         *     `sign_in_link_invalid`: The sign-in link that was sent is not known here.
         *
         *     `sign_in_link_expired`: The time until which the sign-in link was valid has passed.
         *
         *     `sign_in_link_used`: The sign-in link was used already. Each link signs in one browser, once.
         */
        "401_key_invalid_key_expired_key_revoked_sign_in_link_invalid_sign_in_link_expired_sign_in_link_used": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `scope_missing`: The key is valid but lacks the endpoint's scope.
         *
         *     `key_sign_in_off`: Keys are for programs here. People sign in with the identity provider.
         *
         *     `cross_site`: The request uses a session, or signs in, but does not come from the console at this address.
         */
        "403_scope_missing_key_sign_in_off_cross_site": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served.
         *
         *     `rate_limited`: The rate limit of the key is used up. Retry-After says when to come back.
         */
        "429_too_many_refusals_rate_limited": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `shutting_down`: The process is leaving. Send the request again.
         *
         *     `database_unavailable`: The database does not answer at the moment.
         */
        "503_shutting_down_database_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `scope_missing`: The key is valid but lacks the endpoint's scope.
         *
         *     `cross_site`: The request uses a session, or signs in, but does not come from the console at this address.
         *
         *     `key_sign_in_off`: Keys are for programs here. People sign in with the identity provider.
         */
        "403_scope_missing_cross_site_key_sign_in_off": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `scope_missing`: The key is valid but lacks the endpoint's scope.
         *
         *     `cross_site`: The request uses a session, or signs in, but does not come from the console at this address.
         *
         *     `confirmation_needed`: The session may use the scopes admin and operator only for a time after sign-in or confirmation, which is over.
         *
         *     `key_sign_in_off`: Keys are for programs here. People sign in with the identity provider.
         */
        "403_scope_missing_cross_site_confirmation_needed_key_sign_in_off": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `key_invalid`: The key that was sent is not known here.
         *
         *     `key_expired`: The time until which the key was valid has passed.
         *
         *     `key_revoked`: The key was revoked.
         */
        "401_key_invalid_key_expired_key_revoked": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `cross_site`: The request uses a session, or signs in, but does not come from the console at this address. */
        "403_cross_site": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served. */
        "429_too_many_refusals": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `session_ended`: The session was signed out, ended or expired, or its key no longer works. */
        "401_session_ended": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `shutting_down`: The process is leaving. Send the request again.
         *
         *     `identity_provider_unavailable`: The identity provider does not work at the moment, so nobody can sign in with it.
         *
         *     `database_unavailable`: The database does not answer at the moment.
         */
        "503_shutting_down_identity_provider_unavailable_database_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_acceptable`: None of the forms that Accept names can be answered. */
        "406_not_acceptable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `too_many_refusals`: Too many keys from this address were refused within a minute. Requests with a right key are served.
         *
         *     `rate_limited`: The rate limit of the key is used up. Retry-After says when to come back.
         *
         *     `organization_busy`: Other requests of the organization use its whole share of this. Retry-After says when to come back.
         *
         *     `too_many_streams`: The key or its organization has as many event streams open as one process holds for it. Retry-After says when to come back.
         */
        "429_too_many_refusals_rate_limited_organization_busy_too_many_streams": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `shutting_down`: The process is leaving. Send the request again.
         *
         *     `database_unavailable`: The database does not answer at the moment.
         *
         *     `overloaded`: Requests of others held all that the process has for this until the time limit. Retry-After says when to come back.
         *
         *     `streams_full`: The process holds as many event streams as it can. Retry-After says when to come back.
         */
        "503_shutting_down_database_unavailable_overloaded_streams_full": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Entries in a page. */
        limit: number;
        /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
        offset: number;
        /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
        cursor: string;
        /** @description Answer 304 where this is still the ETag. */
        "If-None-Match": string;
        /** @description Change the object only while this is its version: an ETag, or the version in quotes. */
        "If-Match": string;
        /** @description Browsers cannot send it from another site. Requests with the cookie of a session need it. */
        "X-Tidewatch-Console": "1";
    };
    requestBodies: never;
    headers: {
        /** @description Names the request in the log. */
        "X-Request-Id": string;
        /** @description What is left of the limit of requests, and in how many seconds it starts again: "ingest" counts requests of ingest, "api" all others with a key. */
        RateLimit: string;
        /** @description Requests of a key, and the seconds in which it may send them. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait. */
        "Retry-After": string;
        /** @description A digest of the answer, after the version of an object that has one. A compressed answer has it as a weak one (`W/`), which conditions take as well. */
        ETag: string;
        /** @description `__Host-tidewatch-sign-on-<installation>` over HTTPS, `tidewatch-sign-on-<installation>` over HTTP: HttpOnly, SameSite=Lax, encrypted, for ten minutes. */
        "Set-Cookie": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ingest: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: "gzip" | "br" | "zstd" | "deflate" | "identity";
                /** @description `handling=lenient` accepts the valid payloads of a batch, `return=representation` asks for a receipt, which is left out beyond 600 a minute and where it cannot be kept, and `warnings` names what of the payloads is ignored, such as `tag` for `tags` (RFC 7240). All may stand together. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Payload"] | components["schemas"]["Payload"][];
                "application/x-ndjson": components["schemas"]["Payload"];
            };
        };
        responses: {
            /** @description The payloads are durable. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Sent once 80 % of the limit of active series is used up. */
                    "Tidewatch-Series"?: string;
                    /** @description What of `Prefer` was followed; without `return=representation` there is no receipt. */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestAnswer"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remoteWrite: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed; snappy without it. */
                "Content-Encoding"?: "snappy" | "zstd" | "identity";
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description The samples are durable. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description How many were taken; version 2.0. */
                    "X-Prometheus-Remote-Write-Samples-Written"?: string;
                    /** @description How many were taken; version 2.0. */
                    "X-Prometheus-Remote-Write-Histograms-Written"?: string;
                    /** @description How many were taken; version 2.0. */
                    "X-Prometheus-Remote-Write-Exemplars-Written"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remoteWritePush: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed; snappy without it. */
                "Content-Encoding"?: "snappy" | "zstd" | "identity";
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description The samples are durable. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description How many were taken; version 2.0. */
                    "X-Prometheus-Remote-Write-Samples-Written"?: string;
                    /** @description How many were taken; version 2.0. */
                    "X-Prometheus-Remote-Write-Histograms-Written"?: string;
                    /** @description How many were taken; version 2.0. */
                    "X-Prometheus-Remote-Write-Exemplars-Written"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    otlpMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": {
                    resourceMetrics?: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The points are durable but for those that `partial_success` counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        partialSuccess?: {
                            rejectedDataPoints: string;
                            errorMessage: string;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    otlpMetricsOfPrometheus: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": {
                    resourceMetrics?: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The points are durable but for those that `partial_success` counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        partialSuccess?: {
                            rejectedDataPoints: string;
                            errorMessage: string;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    otlpMetricsOfMimir: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": {
                    resourceMetrics?: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The points are durable but for those that `partial_success` counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        partialSuccess?: {
                            rejectedDataPoints: string;
                            errorMessage: string;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": {
                        code: number;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    influxWrite: {
        parameters: {
            query?: {
                /** @description Database of InfluxDB, which decides nothing here. */
                db?: string;
                /** @description Retention policy of InfluxDB, which decides nothing here. */
                rp?: string;
                /** @description The unit of times: `n`, `ns`, `u`, `us`, `µ`, `ms`, `s`, `m`, `h`; nanoseconds without it. */
                precision?: string;
                /** @description Consistency of InfluxDB, which decides nothing here. */
                consistency?: string;
            };
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description The lines are durable. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    influxWriteVersion2: {
        parameters: {
            query?: {
                /** @description Organization of InfluxDB, which decides nothing here. */
                org?: string;
                /** @description Bucket of InfluxDB, which decides nothing here. */
                bucket?: string;
                /** @description The unit of times: `ns`, `us`, `ms`, `s`; nanoseconds without it. */
                precision?: string;
            };
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description The lines are durable. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        message: string;
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        message: string;
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        message: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collectd: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                }[];
            };
        };
        responses: {
            /** @description The values are durable. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogSeries: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    series: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description It is taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogSeriesVersion2: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": {
                    series: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description It is taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogIntake: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description It is taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogSketches: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description It is taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogCheckRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description It is taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description It is taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogHostMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description How the body is compressed. */
                "Content-Encoding"?: string;
                /** @description The host of every series of the request, for senders that know none. */
                "X-Tidewatch-Host"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description It is taken. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    influxPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines are taken here. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Influxdb-Version": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    influxHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines are taken here. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        name: "influxdb";
                        /** @constant */
                        status: "pass";
                        message: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    influxQuery: {
        parameters: {
            query?: {
                /** @description The statement; also as a field of a form. */
                q?: string;
                /** @description Database of InfluxDB, which decides nothing here. */
                db?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is one place for all lines, so that no database has to be created. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: ({
                            statement_id: number;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is missing or wrong. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                };
            };
            /** @description The type or the encoding is not supported. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    datadogValidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is valid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        valid: true;
                    };
                };
            };
            /** @description Something was refused for ever: the body says what. What was valid is durable. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key lacks the scope. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Send it again after Retry-After: nothing of it was stored. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: string[];
                    };
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getIngestReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the receipt. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known of the payloads. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TracedIngestReceipt"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServices: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only services of this status. */
                status?: "healthy" | "degraded" | "critical" | "offline" | "maintenance" | "archived";
                /** @description Only services whose name contains this text, whatever its case. */
                q?: string;
                /** @description Only services with this tag, `name:value`. A name with a colon has a backslash before it (`a\:b:value`), or stands in double quotes (`"a:b":value`). May be repeated: every one must match. */
                tag?: string[];
                /** @description Name of a tag: answers one row for each of its values, and one for the services without it. Not with `as_of`, `format`, `sort` or `fields`. */
                group_by?: string;
                /** @description Answer as of this time, within the last 7 days: what changed later is not seen. Values of services and parts are those of samples until then, however late they arrived. */
                as_of?: string;
                /** @description `csv` and `ndjson` answer everything at once, without pages; `Accept` may say so too. Lines of CSV have a column for each field, `field.member` for a member, JSON in cells of lists; texts that a spreadsheet would take for a formula begin with an apostrophe. */
                format?: "json" | "csv" | "ndjson";
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "name" | "-name" | "status_since" | "-status_since";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of services, or with `group_by` of groups. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServicesPage"] | components["schemas"]["ServiceGroupsPage"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFleetSnapshot: {
        parameters: {
            query?: {
                /** @description Names of tags, at most 10, with commas between; by default none. A name with a comma has a backslash before it, or stands in double quotes; the parameter may also be repeated. */
                tags?: string;
                /** @description The `token` of an earlier snapshot: answers only hosts that have changed since, and which have left. A token of other tags, or one that is too old, is answered with a full snapshot. */
                since?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetSnapshot"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getService: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the service. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceDetail"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the service. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getServiceMetrics: {
        parameters: {
            query?: {
                /** @description Names of metrics, at most 512, with commas between; by default all of the subject. A name with a comma has a backslash before it (`latency\\,p99`), or stands in double quotes (`"latency,p99"`); the parameter may also be repeated. */
                metrics?: string;
                /** @description Start of the range; by default an hour before its end. */
                from?: string;
                /** @description End of the range, not part of it; by default now. */
                to?: string;
                /** @description Length of a step: seconds, or `1m`, `1h`, `1d`. By default one that suits the range. */
                step?: string;
                /** @description The host itself by default, one of its containers as `container:<name>`, or one of its parts as `<kind>:<name>`. */
                subject?: string;
                /** @description `csv` and `ndjson` answer everything at once, without pages; `Accept` may say so too. Lines of CSV have a column for each field, `field.member` for a member, JSON in cells of lists; texts that a spreadsheet would take for a formula begin with an apostrophe. */
                format?: "json" | "csv" | "ndjson";
            };
            header?: never;
            path: {
                /** @description Id of the service. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The series. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeriesAnswer"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getServiceSnapshot: {
        parameters: {
            query?: {
                /** @description The time to answer for; by default now. */
                at?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the service. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The processes, containers and parts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceSnapshot"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServiceChanges: {
        parameters: {
            query?: {
                /** @description Start of the range; by default a day before its end. */
                from?: string;
                /** @description End of the range, not part of it; by default now. */
                to?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the service. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceChanges"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listParts: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only parts of this kind. */
                kind?: string;
                /** @description Only parts whose name matches this pattern; `*` matches any run of characters. */
                name?: string;
                /** @description Only parts whose name contains this text, whatever its case. */
                q?: string;
                /** @description Only parts of the host with this name. */
                host?: string;
                /** @description Only services with this tag, `name:value`. A name with a colon has a backslash before it (`a\:b:value`), or stands in double quotes (`"a:b":value`). May be repeated: every one must match. */
                tag?: string[];
                /** @description Only parts with this label, `name:value`, written as a tag is. May be repeated: every one must match. */
                label?: string[];
                /** @description Answer as of this time, within the last 7 days: what changed later is not seen. Values of services and parts are those of samples until then, however late they arrived. */
                as_of?: string;
                /** @description `csv` and `ndjson` answer everything at once, without pages; `Accept` may say so too. Lines of CSV have a column for each field, `field.member` for a member, JSON in cells of lists; texts that a spreadsheet would take for a formula begin with an apostrophe. */
                format?: "json" | "csv" | "ndjson";
                /** @description The order: `kind`, `name`, `host` or `last_seen`, or with `kind` a metric such as `used_percent`; `-` before it descends. Parts without the metric come last. With `as_of` only `kind`, `name` and `host`. A cursor belongs to its order. */
                sort?: string;
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of parts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartsPage"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMetrics: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only metrics whose name contains this text, whatever its case. */
                q?: string;
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "name" | "-name" | "services" | "-services";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of metrics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queryMetric: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FleetQuery"];
            };
        };
        responses: {
            /** @description The series. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetAnswer"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRules: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only rules that are, or are not, enabled. */
                enabled?: boolean;
                /** @description Only rules of this severity. */
                severity?: "critical" | "warning" | "info";
                /** @description Only rules that evaluate this metric. */
                metric?: string;
                /** @description Only rules whose name contains this text, whatever its case. */
                q?: string;
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "alerts" | "-alerts";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
                /** @description Answers all rules as one document, which `PUT` takes. */
                format?: "yaml" | "json";
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rules, or with `format` the whole set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesPage"] | components["schemas"]["RuleExport"];
                    "application/yaml": components["schemas"]["RuleExport"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    applyRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleSet"];
                "application/yaml": components["schemas"]["RuleSet"];
            };
        };
        responses: {
            /** @description What changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSetChanges"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleInput"];
            };
        };
        responses: {
            /** @description The rule as it is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description Path of the new object. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    installStarterRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was created; the others are `unchanged`, whatever they were edited to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleSetChanges"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewInput"];
            };
        };
        responses: {
            /** @description What the rule would have done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRule: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change the object only while this is its version: an ETag, or the version in quotes. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change the object only while this is its version: an ETag, or the version in quotes. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RulePatch"];
                "application/merge-patch+json": components["schemas"]["RulePatch"];
            };
        };
        responses: {
            /** @description The rule as it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRuleThresholds: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only services whose name contains this text, whatever its case. */
                q?: string;
                /** @description Only services with this tag, `name:value`. A name with a colon has a backslash before it (`a\:b:value`), or stands in double quotes (`"a:b":value`). May be repeated: every one must match. */
                tag?: string[];
            };
            header?: never;
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of hosts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleThresholdsPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only alerts of this status. */
                status?: "active" | "resolved" | "all";
                /** @description Only alerts of this severity. */
                severity?: "critical" | "warning" | "info";
                /** @description Only alerts of this service. */
                service_id?: string;
                /** @description Only alerts of this rule. */
                rule_id?: string;
                /** @description Only alerts of this host. */
                host?: string;
                /** @description Only alerts that were, or were not, acknowledged. */
                acknowledged?: boolean;
                /** @description Only alerts that fired at or after this time. */
                from?: string;
                /** @description Only alerts that fired before this time. */
                to?: string;
                /** @description With, or only, alerts of rules in `shadow`; without it they are left out. */
                shadow?: "include" | "only";
                /** @description Answer as of this time, within the last 7 days: what changed later is not seen. Values of services and parts are those of samples until then, however late they arrived. */
                as_of?: string;
                /** @description `csv` and `ndjson` answer everything at once, without pages; `Accept` may say so too. Lines of CSV have a column for each field, `field.member` for a member, JSON in cells of lists; texts that a spreadsheet would take for a formula begin with an apostrophe. */
                format?: "json" | "csv" | "ndjson";
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "fired_at" | "-fired_at" | "created_at" | "-created_at" | "severity" | "-severity";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alerts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsPage"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countAlerts: {
        parameters: {
            query?: {
                /** @description Answers counts for each rule, service or severity too. */
                group_by?: "rule_id" | "service_id" | "severity";
                /** @description Answers how many alerts fired in each step too: seconds, or `1m`, `1h`, `1d`; aligned to UTC. */
                step?: string;
                /** @description Only alerts that fired at or after this time; by default seven days before `to`. */
                from?: string;
                /** @description Only alerts that fired before this time; by default now. */
                to?: string;
                /** @description With, or only, alerts of rules in `shadow`; without it they are left out. */
                shadow?: "include" | "only";
                /** @description Only so many groups, those with the most alerts. */
                top?: number;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertCountsAnswer"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlert: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlertEvidence: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evidence. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEvidence"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acknowledgeAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AlertAction"];
            };
        };
        responses: {
            /** @description The alert, acknowledged. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AlertAction"];
            };
        };
        responses: {
            /** @description The alert, resolved. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    commentAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the alert. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertComment"];
            };
        };
        responses: {
            /** @description The alert, with the comment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvestigations: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only investigations of this status. */
                status?: "queued" | "running" | "completed" | "failed" | "cancelled";
                /** @description Only completed investigations that concluded so. */
                conclusion?: "root_cause_found" | "inconclusive";
                /** @description Only investigations whose worst alert is of this severity. */
                severity?: "critical" | "warning" | "info";
                /** @description Only investigations of this service. */
                service_id?: string;
                /** @description Only investigations of this host. */
                host?: string;
                /** @description Only investigations that are about this alert. */
                alert_id?: string;
                /** @description Only investigations that were created at or after this time. */
                from?: string;
                /** @description Only investigations that were created before this time. */
                to?: string;
                /** @description `csv` and `ndjson` answer everything at once, without pages; `Accept` may say so too. Lines of CSV have a column for each field, `field.member` for a member, JSON in cells of lists; texts that a spreadsheet would take for a formula begin with an apostrophe. */
                format?: "json" | "csv" | "ndjson";
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "created_at" | "-created_at";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of investigations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvestigationsPage"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestInvestigation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvestigationInput"];
            };
        };
        responses: {
            /** @description The investigation, queued. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description Path of the new object. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Investigation"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInvestigation: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the investigation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The investigation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Investigation"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelInvestigation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the investigation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The investigation, cancelled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Investigation"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rateInvestigation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the investigation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvestigationFeedbackInput"];
            };
        };
        responses: {
            /** @description The investigation, with the feedback. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Investigation"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMarkers: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only markers at or after this time. */
                from?: string;
                /** @description Only markers before this time. */
                to?: string;
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "at" | "-at" | "created_at" | "-created_at";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of markers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarkersPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createMarker: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkerInput"];
            };
        };
        responses: {
            /** @description The marker as it is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description Path of the new object. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Marker"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMarker: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the marker. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The marker. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Marker"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMarker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the marker. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The marker is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSilences: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only silences of this status. */
                status?: "scheduled" | "active" | "expired";
                /** @description The time at which `status` is determined and filtered; by default now. */
                at?: string;
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "created_at" | "-created_at" | "from" | "-from" | "until" | "-until";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of silences. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SilencesPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSilence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SilenceInput"];
            };
        };
        responses: {
            /** @description The silence as it is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description Path of the new object. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewSilence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SilencePreviewInput"];
            };
        };
        responses: {
            /** @description What it would mute. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SilencePreview"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSilenceWindows: {
        parameters: {
            query?: {
                /** @description Start of the range; by default now, or a week before its end. */
                from?: string;
                /** @description End of the range, not part of it; by default a week after its start. */
                to?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The windows. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SilenceWindows"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSilence: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the silence. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The silence. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSilence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change the object only while this is its version: an ETag, or the version in quotes. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the silence. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The silence has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only channels of this kind. */
                kind?: "slack" | "email" | "webhook" | "pagerduty";
                /** @description Only channels that are, or are not, enabled. */
                enabled?: boolean;
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of channels. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelsPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelInput"];
            };
        };
        responses: {
            /** @description The channel as it is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    /** @description Path of the new object. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change the object only while this is its version: an ETag, or the version in quotes. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Change the object only while this is its version: an ETag, or the version in quotes. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelPatch"];
                "application/merge-patch+json": components["schemas"]["ChannelPatch"];
            };
        };
        responses: {
            /** @description The channel as it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelTest"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only notifications about this alert. */
                alert_id?: string;
                /** @description Only notifications of this status. */
                status?: "queued" | "delivered" | "failed" | "suppressed" | "not_configured";
                /** @description The field to order by, `-` before it descends. A cursor belongs to its order. */
                sort?: "created_at" | "-created_at";
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notifications. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliverNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the notification. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notification, queued. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only keys whose name contains this text, whatever its case. */
                q?: string;
                /** @description Only keys that are neither revoked nor expired (`valid`), those of them that a rotation replaced (`replaced`), or those that are `expired` or `revoked`. */
                status?: "valid" | "replaced" | "expired" | "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyInput"];
            };
        };
        responses: {
            /** @description The key with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Path of the new object. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key and the hosts that used it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyDetail"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            /** @description The new key with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Path of the new object. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who asks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header: {
                /** @description Browsers cannot send it from another site. Requests with the cookie of a session need it. */
                "X-Tidewatch-Console": components["parameters"]["X-Tidewatch-Console"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended, and the cookie is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionConfirmation"];
            };
        };
        responses: {
            /** @description Who asks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInLinkInput"];
            };
        };
        responses: {
            /** @description The link, shown once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInLink"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSignInMethods: {
        parameters: {
            query?: never;
            header: {
                /** @description Browsers cannot send it from another site. Requests with the cookie of a session need it. */
                "X-Tidewatch-Console": components["parameters"]["X-Tidewatch-Console"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to sign in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginSignOn: {
        parameters: {
            query?: never;
            header: {
                /** @description Browsers cannot send it from another site. Requests with the cookie of a session need it. */
                "X-Tidewatch-Console": components["parameters"]["X-Tidewatch-Console"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignOnInput"];
            };
        };
        responses: {
            /** @description Where the sign-in goes on. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOn"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of organizations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationsPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationInput"];
            };
        };
        responses: {
            /** @description The organization and its first key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrganization"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Entries in a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many entries to skip; 0 where neither it nor a cursor is given. */
                offset?: components["parameters"]["offset"];
                /** @description The `next_cursor` of the page before, with the same filters and without `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only records of this action. */
                action?: "rule.created" | "rule.updated" | "rule.deleted" | "channel.created" | "channel.updated" | "channel.deleted" | "channel.tested" | "silence.created" | "silence.deleted" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "service.deleted" | "alert.acknowledged" | "alert.commented" | "alert.resolved" | "notification.redelivered" | "investigation.requested" | "investigation.cancelled" | "investigation.rated" | "marker.created" | "marker.deleted" | "session.created" | "session.confirmed" | "session.ended" | "sign_in_link.created";
                /** @description Only changes of this kind of object. */
                object_type?: "rule" | "channel" | "silence" | "key" | "organization" | "service" | "alert" | "notification" | "investigation" | "marker" | "session" | "sign_in_link";
                /** @description Only changes of the object with this id. */
                object_id?: string;
                /** @description Only what the key with this id did. */
                key_id?: string;
                /** @description Only records at or after this time. */
                from?: string;
                /** @description Only records before this time. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Only events of these types, with commas between them. */
                types?: string;
                /** @description Only events about alerts, rules and investigations of these severities, with commas between them. */
                severity?: string;
                /** @description Only events about this service, its alerts and investigations. */
                service_id?: string;
                /** @description Only events about hosts whose names match this pattern, about their alerts and investigations; `*` is any run of characters. */
                host?: string;
            };
            header?: {
                /** @description Id of the last event that was seen. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream, until either side ends it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSummary: {
        parameters: {
            query?: {
                /** @description Only these fields, names with commas between; `field.member` for a member of a field. A comma of a name has a backslash before it, or the entry stands in double quotes. By default all. At most 4,000 characters. */
                fields?: string;
            };
            header?: {
                /** @description Answer 304 where this is still the ETag. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limits"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description It cannot; `reasons` say why. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProcessMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readDocumentation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProblems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `code` of a problem. */
                code: "key_missing" | "key_invalid" | "key_expired" | "key_revoked" | "session_ended" | "sign_in_link_invalid" | "sign_in_link_expired" | "sign_in_link_used" | "sign_on_expired" | "sign_on_refused" | "sign_on_not_permitted" | "key_sign_in_off" | "scope_missing" | "confirmation_needed" | "cross_site" | "host_not_allowed" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "alert_resolved" | "last_admin_key" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "unsupported_content_encoding" | "expectation_failed" | "validation_failed" | "unsupported" | "limit_reached" | "series_limit" | "rate_limited" | "samples_limited" | "too_many_refusals" | "export_running" | "preview_running" | "investigations_queued" | "too_many_streams" | "organization_busy" | "headers_too_large" | "bad_request" | "internal_error" | "bad_gateway" | "identity_provider_unavailable" | "ingest_unavailable" | "database_unavailable" | "secrets_unreadable" | "storage_full" | "overloaded" | "streams_full" | "shutting_down";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same each time it is sent. Keep those that were seen: a delivery may come twice. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. Refuse what is more than five minutes off. */
                "webhook-timestamp": string;
                /** @description Signatures with blanks between them; one that is right is enough. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description It arrived. The body is not needed; at most 64 KiB of it are read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It failed for good: redirects are not followed. */
            "3XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It failed for good, unless it is 408 or 429, which are tried again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is retried, like a connection that fails and no answer within 10 seconds; not before `Retry-After`. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
