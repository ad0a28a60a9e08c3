// SPDX-License-Identifier: Apache-2.0

/// The configuration with which nginx serves a ``HostTree``.
enum NginxConfiguration {
  /// What a release adds to the configuration: the hashes of its models, and its folder.
  ///
  /// nginx reads it when it starts or is reloaded, so what it serves is of one release, whatever
  /// `current` leads to.
  static func release(_ identifier: String, hashes: String) -> String {
    """
    map $uri $model_etag {
    default "";
    \(hashes)}
    map $uri $model_release { default releases/\(identifier); }

    """
  }

  /// The configuration of a server at the address `listen`.
  static func text(listen: String) -> String {
    """
    # Serves the models beside it:   nginx -p THIS_FOLDER -c nginx.conf
    # After `martlet publish`:       nginx -p THIS_FOLDER -c nginx.conf -s reload
    #
    # Written once; yours to change. For TLS, listen on 443 with `ssl` and a certificate here, or
    # put the include, the map and the server's locations into the configuration that you have.
    pid run/nginx.pid;
    error_log run/error.log;
    events {}
    http {
      client_body_temp_path run/body;
      proxy_temp_path run/proxy;
      fastcgi_temp_path run/fastcgi;
      uwsgi_temp_path run/uwsgi;
      scgi_temp_path run/scgi;
      access_log run/access.log;
      sendfile on;
      tcp_nopush on;
      server_tokens off;

      # The release that is served, the hash of each model, and whether the client has the one it
      # names. A new release is served from the next reload on.
      map_hash_bucket_size 1024;
      map_hash_max_size 65536;
      include current/nginx.conf;
      map "$model_etag|$http_if_none_match" $fresh { default 0; "~^(.+)\\|\\1$" 1; }

      server {
        listen \(listen);
        root .;

        location ~ ^(?<model>/v1beta2/projects/[^/:]+/models/[^/:]+):download$ {
          root $model_release;
          etag off;
          if_modified_since off;
          add_header ETag $model_etag always;
          add_header Cache-Control no-cache always;
          default_type application/json;
          if ($fresh) { return 304; }
          error_page 404 = @nomodel;
          try_files $model.json =404;
        }
        location @nomodel {
          default_type application/json;
          return 404 '{"error":{"code":404,"message":"No model found","status":"NOT_FOUND"}}';
        }
        location /blob/ {
          types {}
          default_type application/octet-stream;
          add_header Cache-Control "public, max-age=31536000, immutable";
        }
        location / { return 404; }
      }
    }

    """
  }
}
