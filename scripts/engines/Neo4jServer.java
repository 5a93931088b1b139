import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.connectors.HttpConnector;
import org.neo4j.configuration.connectors.HttpsConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * Neo4j Community with Bolt and authentication, for tests. Arguments: the data folder, and the port or 0 for a free one.
 * It ends without a shutdown, which would take twelve seconds; kept data are recovered at the next start.
 */
public final class Neo4jServer {
  public static void main(String[] arguments) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          if (!thread.getName().equals("main")) return;
          error.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
    String password = System.getenv("NEO4J_PASSWORD");
    if (password == null || password.length() < 8) throw new IllegalArgumentException("NEO4J_PASSWORD: at least 8 characters");
    int port = arguments[1].equals("0") ? freePort() : Integer.parseInt(arguments[1]);
    DatabaseManagementService server =
        new DatabaseManagementServiceBuilder(Path.of(arguments[0]).toAbsolutePath().normalize())
            .setConfig(GraphDatabaseSettings.auth_enabled, true)
            .setConfig(GraphDatabaseSettings.pagecache_memory, 128L << 20)
            .setConfig(GraphDatabaseSettings.transaction_monitor_check_interval, Duration.ofMillis(100))
            // Tests change the data all the time, so replanning statements does not help.
            .setConfig(GraphDatabaseSettings.cypher_min_replan_interval, Duration.ofHours(1))
            .setConfig(BoltConnector.enabled, true)
            .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
            .setConfig(BoltConnector.advertised_address, new SocketAddress("127.0.0.1", port))
            .setConfig(HttpConnector.enabled, false)
            .setConfig(HttpsConnector.enabled, false)
            .build();
    server
        .database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME)
        .executeTransactionally(
            "CREATE OR REPLACE USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
    System.out.println("ready bolt://127.0.0.1:" + port);
    System.out.flush();
    Thread.currentThread().join();
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
